/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which program a name means. An exact name always wins over a part of one. When two match
 * equally well, neither is chosen. */
#include "hand/apps/app-catalog.h"

#include <gio/gdesktopappinfo.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hand/apps/apps-limits.h"
#include "hand/apps/exec-line.h"
#include "shared/base/error.h"
#include "shared/base/hash.h"
#include "shared/text/text.h"

#define MAX_NAMES        30
#define MAX_QUOTED_BYTES 120
/* GLib notices a change of a folder a moment later: a catalog that was read within this time of a
 * change may lack it. */
#define NOTICED_US (2 * G_USEC_PER_SEC)

static void catalog_entry_free(gpointer data)
{
    HfCatalogEntry *entry = data;
    g_free(entry->id);
    g_free(entry->name);
    g_free(entry->raw_name);
    g_free(entry->program);
    g_free(entry->exec);
    g_free(entry->icon);
    g_free(entry->file);
    g_free(entry->directory);
    g_free(entry->wm_class);
    g_free(entry);
}

void hf_program_free(HfProgram *program)
{
    if (!program)
        return;
    g_free(program->name);
    g_free(program->desktop_id);
    g_free(program->file);
    g_free(program->wm_class);
    g_strfreev(program->arguments);
    g_free(program->directory);
    g_free(program);
}

/* The program behind `env`: "env GDK_BACKEND=x11 /opt/foo/bin/foo %U" → "foo". */
static char *dup_exec_program(const char *exec)
{
    HfExecFields none = {0};
    g_auto(GStrv) arguments = hf_exec_parse(exec, &none, NULL);
    for (guint i = 0; arguments && arguments[i]; i++) {
        g_autofree char *base = g_path_get_basename(arguments[i]);
        if (!g_str_equal(base, "env") && !strchr(arguments[i], '='))
            return g_steal_pointer(&base);
    }
    return NULL;
}

static char *dup_valid(const char *text)
{
    return text ? g_utf8_make_valid(text, -1) : NULL;
}

static HfCatalogEntry *catalog_entry_new(GDesktopAppInfo *info)
{
    g_autofree char *exec = g_desktop_app_info_get_string(info, "Exec");
    if (!exec)
        return NULL; /* only a message on the session bus can start it */
    const char *file = g_desktop_app_info_get_filename(info);
    const char *id = g_app_info_get_id(G_APP_INFO(info));
    g_autofree char *base = g_path_get_basename(file ? file : "");
    HfCatalogEntry *entry = g_new0(HfCatalogEntry, 1);
    entry->id = dup_valid(id ? id : base);
    if (g_str_has_suffix(entry->id, ".desktop"))
        entry->id[strlen(entry->id) - strlen(".desktop")] = '\0';
    entry->name = dup_valid(g_app_info_get_name(G_APP_INFO(info)));
    entry->raw_name = g_desktop_app_info_get_string(info, "Name");
    entry->program = dup_exec_program(exec);
    entry->exec = g_steal_pointer(&exec);
    entry->icon = g_desktop_app_info_get_string(info, "Icon");
    entry->file = g_strdup(file);
    entry->directory = g_desktop_app_info_get_string(info, "Path");
    entry->wm_class = dup_valid(g_desktop_app_info_get_startup_wm_class(info));
    entry->terminal = g_desktop_app_info_get_boolean(info, "Terminal");
    entry->shown = g_app_info_should_show(G_APP_INFO(info));
    return entry;
}

static GPtrArray *load_catalog(void)
{
    GPtrArray *catalog = g_ptr_array_new_with_free_func(catalog_entry_free);
    GList *infos = g_app_info_get_all();
    for (GList *at = infos; at; at = at->next) {
        HfCatalogEntry *entry = G_IS_DESKTOP_APP_INFO(at->data)
                                    ? catalog_entry_new(G_DESKTOP_APP_INFO(at->data))
                                    : NULL;
        if (entry)
            g_ptr_array_add(catalog, entry);
    }
    g_list_free_full(infos, g_object_unref);
    return catalog;
}

/* ---- the cache: valid while the folders have the same files ---- */

typedef struct Folders {
    guint64 hash;      /* of their modification times */
    gint64 changed_us; /* the latest of these, wall clock */
} Folders;

static GMutex cache_lock; /* guards what follows */
static GPtrArray *cached;
static guint64 cached_hash;
static gint64 cached_until_us;

static void stat_folder(Folders *folders, const char *data)
{
    g_autofree char *path = g_build_filename(data, "applications", NULL);
    struct stat info = {0};
    gboolean there = stat(path, &info) == 0;
    gint64 changed_us = (gint64)info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
    folders->hash = hf_hash_mix(folders->hash, there);
    folders->hash = hf_hash_mix(folders->hash, info.st_ino);
    folders->hash = hf_hash_mix(folders->hash, (guint64)info.st_mtim.tv_sec);
    folders->hash = hf_hash_mix(folders->hash, (guint64)info.st_mtim.tv_nsec);
    folders->changed_us = MAX(folders->changed_us, changed_us);
}

static Folders stat_folders(void)
{
    Folders folders = {0};
    const char *const *system = g_get_system_data_dirs();
    stat_folder(&folders, g_get_user_data_dir());
    for (gsize i = 0; system[i]; i++)
        stat_folder(&folders, system[i]);
    return folders;
}

/* With the lock held. */
static void cache_catalog(GPtrArray *catalog, const Folders *folders)
{
    g_clear_pointer(&cached, g_ptr_array_unref);
    if (g_get_real_time() - folders->changed_us <= NOTICED_US)
        return;
    cached = g_ptr_array_ref(catalog);
    cached_hash = folders->hash;
    cached_until_us = g_get_monotonic_time() + HF_LIMIT_CATALOG_MS * (gint64)1000;
}

GPtrArray *hf_catalog_ref(void)
{
    Folders folders = stat_folders();
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&cache_lock);
    gboolean valid =
        cached && cached_hash == folders.hash && g_get_monotonic_time() < cached_until_us;
    GPtrArray *catalog = valid ? g_ptr_array_ref(cached) : load_catalog();
    if (!valid)
        cache_catalog(catalog, &folders);
    return catalog;
}

/* ---- finding an application ---- */

/* "org.xfce.mousepad" → "mousepad" */
static const char *short_id(const char *id)
{
    const char *dot = strrchr(id, '.');
    return dot && dot[1] ? dot + 1 : id;
}

const HfCatalogEntry *hf_catalog_find_for_window(const GPtrArray *catalog, const char *class_name,
                                                 const char *instance, const char *process)
{
    const HfCatalogEntry *best = NULL;
    int best_rank = 0;
    for (guint i = 0; i < catalog->len; i++) {
        const HfCatalogEntry *entry = catalog->pdata[i];
        int rank = 0;
        if (entry->wm_class && (hf_text_equal(entry->wm_class, class_name) ||
                                hf_text_equal(entry->wm_class, instance)))
            rank = 4;
        else if (hf_text_equal(entry->id, class_name) || hf_text_equal(entry->id, instance))
            rank = 3;
        else if (hf_text_equal(short_id(entry->id), class_name) ||
                 hf_text_equal(short_id(entry->id), instance))
            rank = 2;
        else if (entry->shown && g_strcmp0(entry->program, process) == 0 && process)
            rank = 1;
        if (rank > best_rank) {
            best = entry;
            best_rank = rank;
        }
    }
    return best;
}

typedef enum Rank { NO_MATCH, CONTAINS, BEGINS, PROGRAM, SHORT_ID, NAME, ID } Rank;

static Rank rank_catalog_entry(const HfCatalogEntry *entry, const char *folded)
{
    if (hf_text_equals_folded(entry->id, folded))
        return ID;
    if (hf_text_equals_folded(entry->name, folded) ||
        hf_text_equals_folded(entry->raw_name, folded))
        return NAME;
    if (hf_text_equals_folded(short_id(entry->id), folded))
        return SHORT_ID;
    if (hf_text_equals_folded(entry->program, folded))
        return PROGRAM;
    if (!entry->shown)
        return NO_MATCH;
    g_autofree char *name = hf_text_fold(entry->name);
    if (g_str_has_prefix(name, folded))
        return BEGINS;
    return strstr(name, folded) || hf_text_contains_folded(entry->raw_name, folded) ? CONTAINS
                                                                                    : NO_MATCH;
}

/* The entries of the best rank within the limits; hidden ones only when all are. */
static GPtrArray *find_best_entries(const GPtrArray *catalog, const char *folded, Rank least,
                                    Rank most)
{
    GPtrArray *best = g_ptr_array_new();
    int best_value = 0;
    for (guint i = 0; i < catalog->len; i++) {
        const HfCatalogEntry *entry = catalog->pdata[i];
        Rank rank = rank_catalog_entry(entry, folded);
        int value = 2 * (int)rank + (entry->shown ? 1 : 0);
        if (rank < least || rank > most || value < best_value)
            continue;
        if (value > best_value)
            g_ptr_array_set_size(best, 0);
        best_value = value;
        g_ptr_array_add(best, (gpointer)entry);
    }
    return best;
}

/* Terminal emulators that pass on arguments unchanged after this flag. */
static const struct {
    const char *program, *flag;
} terminals[] = {
    {"x-terminal-emulator", "-e"},
    {"xfce4-terminal", "-x"},
    {"gnome-terminal", "--"},
    {"konsole", "-e"},
    {"xterm", "-e"},
};

static gboolean wrap_in_terminal(char ***arguments, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(terminals); i++) {
        g_autofree char *path = g_find_program_in_path(terminals[i].program);
        if (!path)
            continue;
        g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
        g_strv_builder_add_many(builder, path, terminals[i].flag, NULL);
        g_strv_builder_addv(builder, (const char **)*arguments);
        g_strfreev(*arguments);
        *arguments = g_strv_builder_end(builder);
        return TRUE;
    }
    return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "this application runs in a terminal, but no terminal emulator is installed; "
                   "install one, such as xterm");
}

static HfProgram *program_of_entry(const HfCatalogEntry *entry, const char *const *arguments,
                                   GError **error)
{
    g_autoptr(HfProgram) program = g_new0(HfProgram, 1);
    program->name = g_strdup(entry->name);
    program->desktop_id = g_strdup(entry->id);
    program->file = g_strdup(entry->file);
    program->wm_class = g_strdup(entry->wm_class);
    program->directory = g_strdup(entry->directory);
    HfExecFields fields = {arguments, entry->icon, entry->name, entry->file};
    program->arguments = hf_exec_parse(entry->exec, &fields, error);
    if (!program->arguments || (entry->terminal && !wrap_in_terminal(&program->arguments, error)))
        return NULL;
    char *path = g_find_program_in_path(program->arguments[0]);
    if (!path) {
        hf_fail(error, HF_ERROR_APP_NOT_FOUND,
                "the application '%s' needs the program '%s', which is not installed", entry->name,
                program->arguments[0]);
        return NULL;
    }
    g_free(program->arguments[0]);
    program->arguments[0] = path;
    return g_steal_pointer(&program);
}

static HfProgram *program_of_path(const char *path, const char *const *arguments)
{
    HfProgram *program = g_new0(HfProgram, 1);
    g_autofree char *base = g_path_get_basename(path);
    program->name = dup_valid(base);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_add(builder, path);
    if (arguments)
        g_strv_builder_addv(builder, (const char **)arguments);
    program->arguments = g_strv_builder_end(builder);
    return program;
}

static HfProgram *resolve_path(const char *path, const char *const *arguments, GError **error)
{
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        hf_fail(error, HF_ERROR_APP_NOT_FOUND, "there is no program at '%s'", path);
        return NULL;
    }
    if (g_str_has_suffix(path, ".desktop")) {
        g_autoptr(GDesktopAppInfo) info = g_desktop_app_info_new_from_filename(path);
        HfCatalogEntry *entry = info ? catalog_entry_new(info) : NULL;
        HfProgram *program = entry ? program_of_entry(entry, arguments, error) : NULL;
        if (entry)
            catalog_entry_free(entry);
        else
            hf_fail(error, HF_ERROR_APP_NOT_FOUND,
                    "the file '%s' describes no application: it has no Exec line", path);
        return program;
    }
    if (!g_file_test(path, G_FILE_TEST_IS_EXECUTABLE)) {
        hf_fail(error, HF_ERROR_APP_NOT_FOUND, "the file '%s' is not executable", path);
        return NULL;
    }
    return program_of_path(path, arguments);
}

static json_t *names_of(const GPtrArray *entries)
{
    json_t *names = json_array();
    for (guint i = 0; i < entries->len && json_array_size(names) < MAX_NAMES; i++) {
        const HfCatalogEntry *entry = entries->pdata[i];
        if (entry->shown || entries->len < MAX_NAMES)
            json_array_append_new(
                names, json_pack("{s:s, s:s}", "name", entry->name, "desktop_id", entry->id));
    }
    return names;
}

static void fail_not_found(const GPtrArray *catalog, const char *name, GError **error)
{
    g_autofree char *quoted = hf_text_shorten(name, MAX_QUOTED_BYTES);
    hf_fail(error, HF_ERROR_APP_NOT_FOUND, "no installed application or command is named '%s'",
            quoted);
    hf_error_take_details(error, json_pack("{s:o}", "installed", names_of(catalog)));
    hf_error_suggest(error, "%s", "choose one of details.installed, or give an absolute path");
}

static void fail_ambiguous_name(const GPtrArray *found, const char *name, GError **error)
{
    g_autofree char *quoted = hf_text_shorten(name, MAX_QUOTED_BYTES);
    hf_fail(error, HF_ERROR_CONFLICT, "%u applications match the name '%s'", found->len, quoted);
    hf_error_take_details(error, json_pack("{s:o}", "candidates", names_of(found)));
    hf_error_suggest(error, "%s", "choose one of details.candidates by its desktop_id");
}

static HfProgram *resolve_program(const char *name, const char *const *arguments, GError **error)
{
    if (g_path_is_absolute(name))
        return resolve_path(name, arguments, error);
    g_autoptr(GPtrArray) catalog = load_catalog();
    g_autofree char *trimmed = g_str_has_suffix(name, ".desktop")
                                   ? g_strndup(name, strlen(name) - strlen(".desktop"))
                                   : g_strdup(name);
    g_autofree char *folded = hf_text_fold(g_strstrip(trimmed));
    if (!*folded) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "name: must not be empty");
        return NULL;
    }
    g_autoptr(GPtrArray) exact = find_best_entries(catalog, folded, PROGRAM, ID);
    if (exact->len == 1)
        return program_of_entry(exact->pdata[0], arguments, error);
    g_autofree char *path = strchr(trimmed, '/') ? NULL : g_find_program_in_path(trimmed);
    if (path)
        return program_of_path(path, arguments);
    g_autoptr(GPtrArray) near = find_best_entries(catalog, folded, CONTAINS, BEGINS);
    const GPtrArray *found = exact->len ? exact : near;
    if (found->len == 1)
        return program_of_entry(found->pdata[0], arguments, error);
    if (found->len == 0)
        fail_not_found(catalog, name, error);
    else
        fail_ambiguous_name(found, name, error);
    return NULL;
}

/* ---- programs built on Chromium: browsers, Electron. They describe their elements only when a
 * flag asks for it. ---- */

/* Scripts and programs that start one that lies elsewhere. */
static const char *const chromium_names[] = {
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-beta",
    "brave-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "vivaldi",
    "vivaldi-stable",
    "opera",
    NULL,
};

/* Each has this file beside it, or one folder above its script. */
static gboolean has_chromium_resources(const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return FALSE;
    g_autofree char *folder = g_path_get_dirname(real);
    g_autofree char *above = g_path_get_dirname(folder);
    g_autofree char *beside = g_build_filename(folder, "chrome_100_percent.pak", NULL);
    g_autofree char *below = g_build_filename(above, "chrome_100_percent.pak", NULL);
    return g_file_test(beside, G_FILE_TEST_IS_REGULAR) ||
           g_file_test(below, G_FILE_TEST_IS_REGULAR);
}

gboolean hf_program_is_chromium(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    return g_strv_contains(chromium_names, name) || has_chromium_resources(path);
}

/* The caller has chosen already, or wants no window at all. */
static gboolean has_chromium_choice(char *const *arguments)
{
    static const char *const choices[] = {HF_CHROMIUM_FLAG, "--disable-renderer-accessibility",
                                          "--headless"};
    for (; *arguments; arguments++)
        for (gsize i = 0; i < G_N_ELEMENTS(choices); i++)
            if (g_str_has_prefix(*arguments, choices[i]))
                return TRUE;
    return FALSE;
}

static void add_chromium_flag(char ***arguments)
{
    if (!hf_program_is_chromium((*arguments)[0]) || has_chromium_choice(*arguments))
        return;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_add_many(builder, (*arguments)[0], HF_CHROMIUM_FLAG, NULL);
    g_strv_builder_addv(builder, (const char **)*arguments + 1);
    g_strfreev(*arguments);
    *arguments = g_strv_builder_end(builder);
}

HfProgram *hf_program_resolve(const char *name, const char *const *arguments, GError **error)
{
    HfProgram *program = resolve_program(name, arguments, error);
    if (program)
        add_chromium_flag(&program->arguments);
    return program;
}
