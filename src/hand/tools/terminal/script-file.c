/* SPDX-License-Identifier: Apache-2.0 */
/* The file is opened once, and its place is read from the open descriptor, so a path that changes
 * meanwhile leads nowhere else. A shell gets the text that was read, with the path as its $0:
 * nobody can swap the file. Scripts of other interpreters, and those that use BASH_SOURCE, which a
 * text does not have, are run from the file. */
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
    g_strfreev(script->interpreter);
    g_free(script->content);
    g_free(script);
}

static gboolean fail_script_missing(const char *path, gboolean there, GError **error)
{
    return there ? hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "'%s' is not a regular file", path)
                 : hf_fail(error, HF_ERROR_FILE_NOT_FOUND, "the script '%s' does not exist", path);
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
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
            "the script '%s' is longer than %u KB, too long to be checked", path,
            HF_LIMIT_SCRIPT_FILE_BYTES / 1024);
    hf_error_suggest(error, "run it with bash_execute");
    return NULL;
}

/* ---- the interpreter ---- */

/* The interpreter of the first line, as the kernel reads it: a program, and the rest as one
 * argument. */
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

/* The program behind `env`, and its one option; FALSE when there is more than that. */
static gboolean find_interpreter_program(char *const *interpreter, const char **ret_name,
                                         const char **ret_option)
{
    const char *slash = strrchr(interpreter[0], '/'), *name = slash ? slash + 1 : interpreter[0];
    *ret_name = name;
    *ret_option = interpreter[1] ? interpreter[1] : "";
    if (strcmp(name, "env") != 0 || !interpreter[1])
        return TRUE;
    *ret_name = interpreter[1];
    *ret_option = "";
    return !strpbrk(interpreter[1], " \t=-/");
}

/* Options that work for a text (-c) as they do for a file. */
static gboolean is_option_of_text(const char *option)
{
    return !*option || (option[0] == '-' && option[1] &&
                        strspn(option + 1, "abefhklmnprtuvxBCEHPT") == strlen(option + 1));
}

static gboolean can_pass_as_text(const HfScriptFile *script)
{
    static const char *const shells[] = {"sh",   "bash", "dash",  "ash", "ksh",
                                         "mksh", "zsh",  "rbash", NULL};
    const char *name, *option;
    return !script->binary && script->interpreter[0] &&
           script->length <= HF_LIMIT_SCRIPT_TEXT_BYTES &&
           find_interpreter_program(script->interpreter, &name, &option) &&
           g_strv_contains(shells, name) && is_option_of_text(option) &&
           !strstr(script->content, "BASH_SOURCE");
}

static void take_content(HfScriptFile *script, const GByteArray *bytes, gboolean executable)
{
    script->content = g_strndup(bytes->len ? (const char *)bytes->data : "", bytes->len);
    script->length = strlen(script->content);
    script->binary = script->length < bytes->len;
    g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes->data, bytes->len);
    g_strlcpy(script->sha256, hash, sizeof script->sha256);
    script->interpreter = dup_interpreter(script->content);
    if (!script->interpreter)
        script->interpreter = g_strsplit(script->binary && executable ? "" : "/bin/bash", " ", -1);
    script->runs_as_text = can_pass_as_text(script);
}

HfScriptFile *hf_script_file_read(const json_t *plan, const char *path, GError **error)
{
    g_autoptr(HfScriptFile) script = g_new0(HfScriptFile, 1);
    struct stat info;
    script->path = hf_path_dup_real(path);
    if (!script->path) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "path: must be absolute, or begin with ~/");
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

/* ---- running it ---- */

static void append_words(json_t *list, char *const *words)
{
    for (; *words; words++)
        json_array_append_new(list, hf_json_text(*words));
}

/* Splits the words of `env -S`, as env does. */
static void append_interpreter(json_t *list, char *const *interpreter)
{
    gboolean split = interpreter[0] && interpreter[1] && g_str_has_prefix(interpreter[1], "-S");
    g_auto(GStrv) words = split ? g_strsplit_set(interpreter[1] + 2, " \t", -1) : NULL;
    if (!split)
        append_words(list, interpreter);
    for (char **word = words; word && *word; word++)
        if (**word)
            json_array_append_new(list, hf_json_text(*word));
}

json_t *hf_script_file_describe(const HfScriptFile *script, char *const *arguments)
{
    json_t *words = json_array();
    append_interpreter(words, script->interpreter);
    json_array_append_new(words, hf_json_text(script->path));
    append_words(words, arguments);
    json_t *description = json_pack("{s:o, s:o, s:s}", "arguments", words, "path",
                                    hf_json_text(script->path), "sha256", script->sha256);
    gsize length = MIN(script->length, HF_LIMIT_SCRIPT_BYTES + 1); /* more is refused anyway */
    if (script->interpreter[0])
        json_object_set_new(description, "content", hf_json_text_n(script->content, length));
    return description;
}

static void append_quoted_argument(GString *text, const char *word)
{
    if (text->len > 0)
        g_string_append_c(text, ' ');
    hf_shell_quote_append(text, word);
}

char *hf_script_file_command(const HfScriptFile *script, char *const *arguments)
{
    GString *text = g_string_sized_new(script->runs_as_text ? script->length + 256 : 256);
    for (char **word = script->interpreter; *word; word++)
        append_quoted_argument(text, *word);
    if (script->runs_as_text) {
        append_quoted_argument(text, "-c");
        append_quoted_argument(text, script->content);
    }
    append_quoted_argument(text, script->path);
    for (; *arguments; arguments++)
        append_quoted_argument(text, *arguments);
    return g_string_free(text, FALSE);
}
