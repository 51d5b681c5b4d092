/* SPDX-License-Identifier: Apache-2.0 */
/* A list in memory in front of the store. It asks about every mention of a file rather than about
 * the programs that could run it: those are too many to list. What a command does with a file is
 * only trusted for a few programs that show it. */
#include "desk/guard/policy/tainted-files.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

#include "desk/guard/guard-limits.h"
#include "desk/policy/identity/caller-session.h"
#include "desk/records/store/tainted-file-rows.h"
#include "shared/base/json.h"
#include "shared/shell-parser/shell-script.h"

struct HfTaintedFiles {
    HfStore *store;
    GMutex lock;    /* guards the list */
    GPtrArray *all; /* HfTaintedFile, the oldest first */
};

HfTaintedFiles *hf_tainted_files_new(HfStore *store, GError **error)
{
    GPtrArray *all = hf_tainted_file_rows_list(store, error);
    if (!all)
        return NULL;
    HfTaintedFiles *files = g_new0(HfTaintedFiles, 1);
    files->store = store;
    files->all = all;
    g_mutex_init(&files->lock);
    return files;
}

void hf_tainted_files_free(HfTaintedFiles *files)
{
    if (!files)
        return;
    g_ptr_array_unref(files->all);
    g_mutex_clear(&files->lock);
    g_free(files);
}

static gint64 now_ms(void)
{
    return g_get_real_time() / 1000;
}

static void forget_path(HfTaintedFiles *files, const char *path)
{
    for (guint i = 0; i < files->all->len; i++)
        if (g_str_equal(((const HfTaintedFile *)files->all->pdata[i])->path, path)) {
            g_ptr_array_remove_index(files->all, i);
            return;
        }
}

void hf_tainted_files_add(HfTaintedFiles *files, const char *path, const HfCaller *caller,
                          const char *tool)
{
    struct stat found = {0};
    g_autofree char *key = hf_caller_dup_taint_key(caller);
    gboolean seen = stat(path, &found) == 0;
    HfTaintedFile *file = g_new0(HfTaintedFile, 1);
    file->path = g_strdup(path);
    file->device = seen ? found.st_dev : 0;
    file->inode = seen ? found.st_ino : 0;
    file->caller = g_strdup(key ? key : "");
    file->name = g_strdup(caller->name ? caller->name : "");
    file->tool = g_strdup(tool);
    file->since_ms = now_ms();
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    forget_path(files, path);
    g_ptr_array_add(files->all, file);
    if (files->all->len > HF_LIMIT_TAINTED_FILES)
        g_ptr_array_remove_index(files->all, 0);
    /* Kept in memory even if the store fails. */
    hf_tainted_file_row_put(files->store, file, HF_LIMIT_TAINTED_FILES, NULL);
}

/* ---- words of a command ---- */

/* Relative words are looked up in this many folders of known files: the current one is not known.
 */
#define MOST_FOLDERS 16u

typedef struct FileId {
    guint64 device, inode;
} FileId;

/* A word, or text in which files may be named. */
typedef struct Mention {
    char *text;
    char *absolute; /* NULL: not one absolute path */
    gboolean glob;
    GArray *ids; /* FileId: what it may be */
} Mention;

static void mention_free(gpointer data)
{
    Mention *mention = data;
    g_free(mention->text);
    g_free(mention->absolute);
    g_array_unref(mention->ids);
    g_free(mention);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "~/x" as an absolute path; NULL for a relative one, and for text that is more than a path. */
static char *dup_absolute(const char *text)
{
    if (strpbrk(text, " \t\n;\"'"))
        return NULL;
    if (text[0] == '~' && (text[1] == '/' || !text[1]))
        return g_build_filename(g_get_home_dir(), text + 1, NULL);
    return text[0] == '/' ? g_canonicalize_filename(text, NULL) : NULL;
}

static void add_file_id(Mention *mention, const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return;
    FileId id = {found.st_dev, found.st_ino};
    g_array_append_val(mention->ids, id);
}

/* `folders`: where a relative path is looked up; NULL: it is no path. */
static void add_mention(GPtrArray *mentions, const char *text, char *const *folders)
{
    const char *value = strchr(text, '=');
    Mention *mention = g_new0(Mention, 1);
    mention->text = g_strdup(text);
    mention->ids = g_array_new(FALSE, FALSE, sizeof(FileId));
    mention->glob = folders && (strpbrk(text, "*?[") || strchr(text, HF_SCRIPT_UNKNOWN));
    mention->absolute = folders && !mention->glob ? dup_absolute(text) : NULL;
    g_ptr_array_add(mentions, mention);
    if (mention->absolute)
        add_file_id(mention, mention->absolute);
    for (; folders && *folders && !mention->absolute && !mention->glob && *text; folders++) {
        g_autofree char *beside = g_build_filename(*folders, base_of(text), NULL);
        add_file_id(mention, beside);
    }
    if (value && folders) /* --file=PATH */
        add_mention(mentions, value + 1, folders);
}

static GPtrArray *list_mentions(const HfScript *script, char *const *folders)
{
    GPtrArray *mentions = g_ptr_array_new_with_free_func(mention_free);
    for (guint i = 0; i < script->commands->len; i++) {
        const HfScriptCommand *command = script->commands->pdata[i];
        for (guint j = 0; j < command->words->len; j++)
            add_mention(mentions, ((const HfScriptWord *)command->words->pdata[j])->text, folders);
        for (guint j = 0; j < command->redirects->len; j++) {
            const HfScriptRedirect *redirect = command->redirects->pdata[j];
            if (!redirect->writes)
                add_mention(mentions, redirect->target.text, folders);
        }
        if (command->input)
            add_mention(mentions, command->input, NULL);
        if (command->code)
            add_mention(mentions, command->code, NULL);
    }
    return mentions;
}

/* ---- does one name a file? ---- */

static gboolean has_literal(const char *pattern)
{
    for (; *pattern; pattern++)
        if (g_ascii_isalnum(*pattern))
            return TRUE;
    return FALSE;
}

/* What is only known when the command runs may be anything. A pattern without any letter says
 * nothing: the rules judge such a command by themselves. */
static gboolean glob_fits_name(const char *text, const char *name)
{
    g_autofree char *pattern = g_strdup(base_of(text));
    for (char *at = pattern; *at; at++)
        if (*at == HF_SCRIPT_UNKNOWN)
            *at = '*';
    return has_literal(pattern) && fnmatch(pattern, name, 0) == 0;
}

static gboolean is_name_char(char character)
{
    return g_ascii_isalnum(character) || character == '_' || character == '-' || character == '.';
}

static gboolean contains_name(const char *text, const char *name)
{
    gsize length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++)
        if ((at == text || !is_name_char(at[-1])) && !is_name_char(at[length]))
            return TRUE;
    return FALSE;
}

static gboolean is_mentioned(const HfTaintedFile *file, const Mention *mention)
{
    const char *name = base_of(file->path);
    for (guint i = 0; file->inode && i < mention->ids->len; i++) {
        const FileId *id = &g_array_index(mention->ids, FileId, i);
        if (id->device == file->device && id->inode == file->inode)
            return TRUE;
    }
    if (mention->absolute)
        return g_str_equal(mention->absolute, file->path);
    return contains_name(mention->text, name) ||
           (mention->glob && glob_fits_name(mention->text, name));
}

/* ---- does the command only show it? ---- */

/* Programs that show a file or something about it, and can neither run nor write one. */
static const char *const showing_programs[] = {
    "cat",        "head",     "tail",  "wc",  "grep",   "ls",      "stat",
    "file",       "du",       "diff",  "cmp", "md5sum", "sha1sum", "sha256sum",
    "sha512sum",  "strings",  "od",    "cut", "tr",     "evince",  "okular",
    "eog",        "mousepad", "gedit", "xed", "pluma",  "kate",    "gnome-text-editor",
    "featherpad", "l3afpad",  NULL,
};

static gboolean only_shows(const HfScriptCommand *command)
{
    const HfScriptWord *program =
        command->words->len > 0 ? (const HfScriptWord *)command->words->pdata[0] : NULL;
    if (!program || (command->facts & (HF_COMMAND_UNDECIDED | HF_COMMAND_UNREAD_TEXT)) ||
        !g_strv_contains(showing_programs, program->text) || command->sets->len > 0)
        return FALSE;
    for (guint i = 0; i < command->redirects->len; i++)
        if (((const HfScriptRedirect *)command->redirects->pdata[i])->writes)
            return FALSE;
    return TRUE;
}

/* What a program shows may go on to another one, so all of them count. */
static gboolean script_only_shows(const HfScript *script)
{
    for (guint i = 0; i < script->commands->len; i++)
        if (!only_shows(script->commands->pdata[i]))
            return FALSE;
    return script->facts == 0;
}

/* With the lock held: the folders of the latest files. */
static char **dup_folders(const HfTaintedFiles *files)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = files->all->len; i > 0 && g_hash_table_size(seen) < MOST_FOLDERS; i--) {
        const HfTaintedFile *file = files->all->pdata[i - 1];
        char *folder = g_path_get_dirname(file->path);
        if (!g_hash_table_contains(seen, folder))
            g_strv_builder_add(builder, folder);
        g_hash_table_add(seen, folder);
    }
    return g_strv_builder_end(builder);
}

/* ---- answers ---- */

static json_t *tainted_file_to_json(const HfTaintedFile *file)
{
    g_autofree char *quoted = g_shell_quote(file->name);
    g_autofree char *clear = g_strdup_printf("handfast taint clear %s", quoted);
    return json_pack("{s:o, s:o, s:o, s:I, s:o}", "file", hf_json_text(file->path), "tool",
                     hf_json_text(file->tool), "name", hf_json_text(file->name), "since",
                     (json_int_t)file->since_ms, "clear", hf_json_text(clear));
}

static gboolean file_still_counts(const HfTaintedFile *file, gint64 keep_ms)
{
    return file->since_ms + keep_ms > now_ms();
}

/* With the lock held. */
static json_t *find_mentioned(const HfTaintedFiles *files, const GPtrArray *mentions,
                              gint64 keep_ms)
{
    for (guint i = files->all->len; i > 0; i--) {
        const HfTaintedFile *file = files->all->pdata[i - 1];
        for (guint j = 0; file_still_counts(file, keep_ms) && j < mentions->len; j++)
            if (is_mentioned(file, mentions->pdata[j]))
                return tainted_file_to_json(file);
    }
    return NULL;
}

static json_t *find_in_script(HfTaintedFiles *files, HfScript *take_script, gint64 keep_ms)
{
    g_autoptr(HfScript) script = take_script;
    if (script_only_shows(script))
        return NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    g_auto(GStrv) folders = dup_folders(files);
    g_autoptr(GPtrArray) mentions = list_mentions(script, folders);
    return find_mentioned(files, mentions, keep_ms);
}

static gboolean has_no_files(HfTaintedFiles *files)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    return files->all->len == 0;
}

json_t *hf_tainted_files_in_command(HfTaintedFiles *files, const char *text, gint64 keep_ms)
{
    return has_no_files(files) ? NULL : find_in_script(files, hf_script_read(text), keep_ms);
}

json_t *hf_tainted_files_in_arguments(HfTaintedFiles *files, const char *const *arguments,
                                      gint64 keep_ms)
{
    return has_no_files(files)
               ? NULL
               : find_in_script(files, hf_script_read_arguments(arguments), keep_ms);
}

json_t *hf_tainted_files_at_path(HfTaintedFiles *files, const char *path, gint64 keep_ms)
{
    g_autoptr(GPtrArray) mentions = g_ptr_array_new_with_free_func(mention_free);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    g_auto(GStrv) folders = files->all->len > 0 ? dup_folders(files) : NULL;
    if (folders)
        add_mention(mentions, path, folders);
    return find_mentioned(files, mentions, keep_ms);
}

json_t *hf_tainted_files_list(HfTaintedFiles *files, gint64 keep_ms)
{
    json_t *list = json_array();
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    for (guint i = files->all->len; i > 0; i--) {
        const HfTaintedFile *file = files->all->pdata[i - 1];
        if (!file_still_counts(file, keep_ms))
            continue;
        json_t *entry = tainted_file_to_json(file);
        json_object_set_new(entry, "key", hf_json_text(file->caller));
        json_object_del(entry, "clear");
        json_array_append_new(list, entry);
    }
    return list;
}

gboolean hf_tainted_files_clear(HfTaintedFiles *files, const char *key, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&files->lock);
    if (!hf_tainted_file_rows_remove(files->store, key, error))
        return FALSE;
    for (guint i = files->all->len; i > 0; i--)
        if (!key || g_str_equal(((const HfTaintedFile *)files->all->pdata[i - 1])->caller, key))
            g_ptr_array_remove_index(files->all, i - 1);
    return TRUE;
}
