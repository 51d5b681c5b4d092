/* SPDX-License-Identifier: Apache-2.0 */
/* The file is opened once, and where it is is asked of the open file: a path that is changed at the
 * same time leads nowhere else. A shell gets the text that was read, with the path as its $0, so
 * that nobody can put another under its name; programs of other languages, and scripts that ask for
 * their own place by BASH_SOURCE, which a text has not, are run from the file. */
#include "hand/tools/terminal/script-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand/shell/sandbox/sandbox-plan.h"
#include "hand/shell/session/shell-quote.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/shell-parser/shell-parser-limits.h"

#define FIRST_LINE_BYTES 256

void hf_script_file_free(HfScriptFile *script)
{
    if (!script)
        return;
    g_free(script->path);
    g_strfreev(script->runs);
    g_free(script->content);
    g_free(script);
}

static gboolean fail_script_missing(const char *path, gboolean there, GError **error)
{
    return there ? hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "'%s' is no file", path)
                 : hf_fail(error, HF_ERROR_FILE_NOT_FOUND, "there is no script '%s'", path);
}

static gboolean check_script_in_walls(const json_t *plan, int fd, const char *path, GError **error)
{
    g_autofree char *name = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *real = fd >= 0 ? g_file_read_link(name, NULL) : NULL;
    if (hf_sandbox_plan_shows(plan, real ? real : path))
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is outside the directories that shells may use", path);
    hf_error_take_details(error, json_pack("{s:o}", "walls", hf_sandbox_plan_describe(plan)));
    return FALSE;
}

static GByteArray *read_script_bytes(int fd, const char *path, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 piece[16384];
    ssize_t got;
    while ((got = read(fd, piece, sizeof piece)) != 0 && bytes->len <= HF_LIMIT_SCRIPT_FILE_BYTES) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the script '%s' cannot be read: %s", path,
                    g_strerror(errno));
            return NULL;
        }
        g_byte_array_append(bytes, piece, (guint)got);
    }
    if (bytes->len <= HF_LIMIT_SCRIPT_FILE_BYTES)
        return g_steal_pointer(&bytes);
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the script '%s' is longer than %u KB", path,
            HF_LIMIT_SCRIPT_FILE_BYTES / 1024);
    hf_error_suggest(error, "run it with bash_execute");
    return NULL;
}

/* ---- what runs it ---- */

/* What the first line names, as the kernel reads it: a program, and all the rest as one argument.
 */
static char **dup_interpreter(const char *content)
{
    if (strncmp(content, "#!", 2) != 0)
        return NULL;
    gsize length = strcspn(content, "\n");
    g_autofree char *line = g_strndup(content + 2, MIN(length, FIRST_LINE_BYTES) - 2);
    g_strstrip(line);
    if (!*line)
        return NULL;
    char **words = g_strsplit_set(line, " \t", 2);
    if (words[1])
        g_strstrip(words[1]);
    return words;
}

/* The program itself behind `env`, and the one option that it may have; FALSE when that is not all
 * there is. */
static gboolean find_interpreter_program(char *const *runs, const char **ret_name,
                                         const char **ret_option)
{
    const char *slash = strrchr(runs[0], '/'), *name = slash ? slash + 1 : runs[0];
    *ret_name = name;
    *ret_option = runs[1] ? runs[1] : "";
    if (strcmp(name, "env") != 0 || !runs[1])
        return TRUE;
    *ret_name = runs[1];
    *ret_option = "";
    return !strpbrk(runs[1], " \t=-/");
}

/* Options that hold for a text as they do for a file. */
static gboolean may_stay(const char *option)
{
    return !*option || (option[0] == '-' && option[1] &&
                        strspn(option + 1, "abefhklmnprtuvxBCEHPT") == strlen(option + 1));
}

static gboolean can_be_pinned(const HfScriptFile *script)
{
    static const char *const shells[] = {"sh",   "bash", "dash",  "ash", "ksh",
                                         "mksh", "zsh",  "rbash", NULL};
    const char *name, *option;
    return !script->binary && script->runs[0] && script->length <= HF_LIMIT_SCRIPT_TEXT_BYTES &&
           find_interpreter_program(script->runs, &name, &option) &&
           g_strv_contains(shells, name) && may_stay(option) &&
           !strstr(script->content, "BASH_SOURCE");
}

static void take_content(HfScriptFile *script, const GByteArray *bytes, gboolean executable)
{
    script->content = g_strndup(bytes->len ? (const char *)bytes->data : "", bytes->len);
    script->length = strlen(script->content);
    script->binary = script->length < bytes->len;
    g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes->data, bytes->len);
    g_strlcpy(script->sha256, hash, sizeof script->sha256);
    script->runs = dup_interpreter(script->content);
    if (!script->runs)
        script->runs = g_strsplit(script->binary && executable ? "" : "/bin/bash", " ", -1);
    script->pinned = can_be_pinned(script);
}

HfScriptFile *hf_script_file_read(const json_t *plan, const char *path, GError **error)
{
    g_autoptr(HfScriptFile) script = g_new0(HfScriptFile, 1);
    struct stat info;
    script->path = hf_path_dup_real(path);
    if (!script->path) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "path: an absolute path is needed, or one with ~");
        return NULL;
    }
    int fd = open(script->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    gboolean there = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    g_autoptr(GByteArray) bytes = NULL;
    if (check_script_in_walls(plan, fd, script->path, error) &&
        (there || fail_script_missing(script->path, fd >= 0, error)))
        bytes = read_script_bytes(fd, script->path, error);
    if (fd >= 0)
        close(fd);
    if (!bytes)
        return NULL;
    take_content(script, bytes, (info.st_mode & S_IXUSR) != 0);
    return g_steal_pointer(&script);
}

/* ---- what becomes of it ---- */

static void append_all(json_t *list, char *const *words)
{
    for (; *words; words++)
        json_array_append_new(list, hf_json_text(*words));
}

/* The words of `env -S` apart, as it takes them. */
static void append_interpreter(json_t *list, char *const *runs)
{
    gboolean split = runs[0] && runs[1] && g_str_has_prefix(runs[1], "-S");
    g_auto(GStrv) words = split ? g_strsplit_set(runs[1] + 2, " \t", -1) : NULL;
    if (!split)
        append_all(list, runs);
    for (char **word = words; word && *word; word++)
        if (**word)
            json_array_append_new(list, hf_json_text(*word));
}

json_t *hf_script_file_describe(const HfScriptFile *script, char *const *arguments)
{
    json_t *words = json_array();
    append_interpreter(words, script->runs);
    json_array_append_new(words, hf_json_text(script->path));
    append_all(words, arguments);
    json_t *told = json_pack("{s:o, s:o, s:s}", "arguments", words, "path",
                             hf_json_text(script->path), "sha256", script->sha256);
    gsize length = MIN(script->length, HF_LIMIT_SCRIPT_BYTES + 1); /* more is too much anyway */
    if (script->runs[0])
        json_object_set_new(told, "content", hf_json_text_n(script->content, length));
    return told;
}

static void append_quoted_argument(GString *text, const char *word)
{
    if (text->len > 0)
        g_string_append_c(text, ' ');
    hf_shell_quote_append(text, word);
}

char *hf_script_file_command(const HfScriptFile *script, char *const *arguments)
{
    GString *text = g_string_sized_new(script->pinned ? script->length + 256 : 256);
    for (char **word = script->runs; *word; word++)
        append_quoted_argument(text, *word);
    if (script->pinned) {
        append_quoted_argument(text, "-c");
        append_quoted_argument(text, script->content);
    }
    append_quoted_argument(text, script->path);
    for (; *arguments; arguments++)
        append_quoted_argument(text, *arguments);
    return g_string_free(text, FALSE);
}
