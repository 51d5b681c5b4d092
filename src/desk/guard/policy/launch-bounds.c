/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing contains a program once it runs, so only one whose arguments say where it goes may be
 * started by a caller that is bound to directories or domains. A command never may: a shell within
 * walls (bash_execute) can do its work. An argument counts as a path unless it clearly is none. */
#include "desk/guard/policy/launch-bounds.h"

#include <string.h>

#include "desk/guard/policy/command-programs.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/text/host-pattern.h"
#include "shared/text/text.h"

static gboolean refuse_launch(const HfGrantEntry *grant, const char *list, HfErrorCode code,
                              const char *value, const char *why, const char *instead,
                              GError **error)
{
    g_autofree char *shown = hf_text_shorten(value, 200);
    hf_fail(error, code, "'%s' %s %s of the grant '%s'", shown, why, list, grant->id);
    if (instead)
        hf_error_suggest(error, "%s; or see what it allows: handfast grant show %s", instead,
                         grant->id);
    else
        hf_error_suggest(error, "see what it allows: handfast grant show %s", grant->id);
    hf_error_take_details(error, json_pack("{s:s, s:s, s:O}", "grant", grant->id, "path",
                                           code == HF_ERROR_APP_NOT_ALLOWED ? "name" : "args",
                                           "expected", hf_grant_find_list(grant->grant, list)));
    return FALSE;
}

/* ---- applications ---- */

static gboolean matches_any_name(const char *pattern, const json_t *names)
{
    hf_json_each (entry, names) {
        g_autofree char *name = hf_text_fold(json_string_value(entry));
        if (g_pattern_match_simple(pattern, name))
            return TRUE;
    }
    return FALSE;
}

/* A name stands for a program of the system's; any other program must be listed by its path. */
static gboolean lists_program(const json_t *entry, const json_t *program)
{
    const char *allowed =
        json_is_string(entry) ? json_string_value(entry) : hf_json_string(entry, "app", "");
    const char *executable = hf_json_string(program, "executable", "");
    g_autofree char *pattern = hf_text_fold(allowed);
    if (g_path_is_absolute(allowed))
        return g_pattern_match_simple(allowed, executable);
    return hf_json_bool(program, "system", FALSE) &&
           (matches_any_name(pattern, json_object_get(program, "names")) ||
            matches_any_name(pattern, json_object_get(program, "titles")));
}

static gboolean check_program_listed(const HfGrantEntry *grant, const json_t *program,
                                     GError **error)
{
    const json_t *list = hf_grant_find_list(grant->grant, "allowed_apps");
    hf_json_each (entry, list)
        if (lists_program(entry, program))
            return TRUE;
    return !list ||
           refuse_launch(grant, "allowed_apps", HF_ERROR_APP_NOT_ALLOWED,
                         hf_json_string(program, "executable", ""), "is outside", NULL, error);
}

/* ---- directories ---- */

/* Whether it begins with a scheme: "http://...", "file:/...", "data:...". */
static gboolean has_scheme(const char *text)
{
    g_autofree char *scheme = g_uri_parse_scheme(text);
    return scheme && strlen(scheme) > 1;
}

/* The part of an argument that can be a path: what follows '=' or the letters of an option. NULL:
 * it has none. */
static const char *find_path_part(const char *argument)
{
    const char *value = strchr(argument, '=');
    if (argument[0] != '-')
        return argument;
    return value ? value + 1 : strpbrk(argument, "/~");
}

/* Absolute; NULL: it is an address elsewhere. */
static char *dup_argument_path(const json_t *program, const char *text)
{
    if (has_scheme(text)) {
        g_autofree char *scheme = g_uri_parse_scheme(text);
        if (g_ascii_strcasecmp(scheme, "file") != 0)
            return NULL;
        g_autofree char *rest = g_uri_unescape_string(text + strlen("file:"), NULL);
        const char *path = rest ? rest : "/";
        if (g_str_has_prefix(path, "//")) /* file://host/path */
            path = strchr(path + 2, '/');
        return g_strdup(path ? path : "/");
    }
    if (text[0] == '~' && (text[1] == '/' || !text[1]))
        return g_build_filename(hf_json_string(program, "home", "/"), text + 1, NULL);
    return g_path_is_absolute(text)
               ? g_strdup(text)
               : g_build_filename(hf_json_string(program, "directory", "/"), text, NULL);
}

static gboolean is_in_directories(const json_t *list, const json_t *program, const char *argument)
{
    const char *part = find_path_part(argument);
    g_autofree char *path = part ? dup_argument_path(program, part) : NULL;
    if (!path)
        return TRUE;
    hf_json_each (entry, list)
        if (hf_path_within(json_string_value(entry), path))
            return TRUE;
    return FALSE;
}

static gboolean check_launch_directories(const HfGrantEntry *grant, const json_t *program,
                                         GError **error)
{
    const json_t *list = hf_grant_find_list(grant->grant, "allowed_directories");
    const char *reason = list ? hf_command_program_reason(program) : NULL;
    if (reason)
        return refuse_launch(grant, "allowed_directories", HF_ERROR_FORBIDDEN,
                             hf_json_string(program, "executable", ""), "could reach files outside",
                             "use bash_execute, whose shells keep to these directories", error);
    hf_json_each (argument, list ? json_object_get(program, "arguments") : NULL)
        if (!is_in_directories(list, program, json_string_value(argument)))
            return refuse_launch(grant, "allowed_directories", HF_ERROR_FORBIDDEN,
                                 json_string_value(argument), "is outside", NULL, error);
    return TRUE;
}

/* ---- domains ---- */

static gboolean is_in_domains(const json_t *list, const char *address)
{
    g_autoptr(GUri) uri = g_uri_parse(address, G_URI_FLAGS_NONE, NULL);
    const char *host = uri ? g_uri_get_host(uri) : NULL;
    hf_json_each (entry, list)
        if (host && hf_host_pattern_fits(json_string_value(entry), host))
            return TRUE;
    return FALSE;
}

static gboolean check_launch_domains(const HfGrantEntry *grant, const json_t *program,
                                     GError **error)
{
    const json_t *list = hf_grant_find_list(grant->grant, "allowed_domains");
    const json_t *arguments = json_object_get(program, "arguments");
    if (!list)
        return TRUE;
    if (!hf_command_program_is_browser(program) || hf_command_program_reason(program) ||
        json_array_size(arguments) == 0)
        return refuse_launch(grant, "allowed_domains", HF_ERROR_FORBIDDEN,
                             hf_json_string(program, "executable", ""),
                             "could open connections outside",
                             "use browser_navigate, which keeps to these domains", error);
    hf_json_each (argument, arguments)
        if (!is_in_domains(list, json_string_value(argument)))
            return refuse_launch(grant, "allowed_domains", HF_ERROR_FORBIDDEN,
                                 json_string_value(argument), "is outside", NULL, error);
    return TRUE;
}

gboolean hf_launch_check_bounds(const HfGrantEntry *grant, const json_t *program, GError **error)
{
    return check_program_listed(grant, program, error) &&
           check_launch_directories(grant, program, error) &&
           check_launch_domains(grant, program, error);
}
