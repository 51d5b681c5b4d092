/* SPDX-License-Identifier: Apache-2.0 */
/* The walls hold several lists of directories, one per level of policy; the plan is their
 * intersection, and of two nested directories the inner one counts. A denied path inside an allowed
 * directory is covered; an allowed directory inside a denied one is dropped. A pattern with a
 * wildcard before its end names no single path that could be covered: the plan lists it as
 * unenforced, and the tools that open files enforce it. */
#include "hand/shell/sandbox/sandbox-plan.h"

#include <string.h>
#include <unistd.h>

#include "hand/safety/handed-directories.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/wire/stage-protocol.h"

#define MEGABYTE ((json_int_t)1024 * 1024)

/* ---- directories ---- */

/* Both paths are real, absolute and have no trailing slash. */
static gboolean path_lies_in(const char *inner, const char *outer)
{
    gsize length = strlen(outer);
    return strcmp(outer, "/") == 0 ||
           (strncmp(inner, outer, length) == 0 && (inner[length] == 0 || inner[length] == '/'));
}

static gboolean lies_in_any(const char *path, const GPtrArray *outer)
{
    for (guint i = 0; i < outer->len; i++)
        if (path_lies_in(path, outer->pdata[i]))
            return TRUE;
    return FALSE;
}

static void add_once(GPtrArray *list, const char *path)
{
    if (!lies_in_any(path, list))
        g_ptr_array_add(list, g_strdup(path));
}

/* Only existing directories. `entries`: as the desk opened them; NULL: it did not. What programs
 * here find at the path of one may be another directory with the same name. */
static GPtrArray *list_real(const json_t *paths, const json_t *entries)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    size_t index;
    json_t *path;
    json_array_foreach (paths, index, path) {
        const json_t *entry = json_array_get(entries, index);
        gboolean handed = json_is_object(entry);
        g_autofree char *real = handed ? g_strdup(hf_json_string(entry, "real", "/"))
                                       : hf_path_dup_real(json_string_value(path));
        if (handed ? hf_handed_directory_is_seen(entry)
                   : !json_is_false(entry) && real && g_file_test(real, G_FILE_TEST_IS_DIR))
            add_once(list, real);
    }
    return list;
}

static GPtrArray *intersect_directories(const GPtrArray *one, const GPtrArray *other)
{
    GPtrArray *both = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < one->len; i++)
        for (guint j = 0; j < other->len; j++) {
            const char *a = one->pdata[i], *b = other->pdata[j];
            if (path_lies_in(a, b))
                add_once(both, a);
            else if (path_lies_in(b, a))
                add_once(both, b);
        }
    return both;
}

static GPtrArray *list_writable_directories(const json_t *walls)
{
    const json_t *lists = json_object_get(walls, "directories");
    const json_t *opened = json_object_get(walls, "opened");
    GPtrArray *allowed = list_real(json_array_get(lists, 0), json_array_get(opened, 0));
    for (size_t i = 1; i < json_array_size(lists); i++) {
        g_autoptr(GPtrArray) former = allowed;
        g_autoptr(GPtrArray) more = list_real(json_array_get(lists, i), json_array_get(opened, i));
        allowed = intersect_directories(former, more);
    }
    return allowed;
}

/* ---- denied paths ---- */

typedef struct Denials {
    GPtrArray *allowed; /* shrinks as paths are denied */
    GPtrArray *covered;
    json_t *missing; /* covered directories that do not exist yet */
    json_t *unenforced;
} Denials;

/* The path that a pattern denies; NULL if it is not a single one. */
static char *dup_denied_place(const char *pattern, gboolean *ret_is_folder)
{
    g_autofree char *place = g_strdup(pattern);
    *ret_is_folder = g_str_has_suffix(place, "/**") || g_str_has_suffix(place, "/*");
    if (*ret_is_folder)
        *strrchr(place, '/') = 0;
    if (!*place || strpbrk(place, "*?["))
        return NULL;
    return hf_path_dup_real(place);
}

/* Only what exists can be covered. A denied directory that is missing will be created empty, so
 * that the shell cannot create it. */
static void deny_place(Denials *denials, const char *place, gboolean is_folder, const char *pattern)
{
    for (guint i = denials->allowed->len; i-- > 0;)
        if (path_lies_in(denials->allowed->pdata[i], place))
            g_ptr_array_remove_index(denials->allowed, i);
    if (!lies_in_any(place, denials->allowed))
        return;
    gboolean there = g_file_test(place, G_FILE_TEST_EXISTS);
    if (there || is_folder)
        add_once(denials->covered, place);
    else
        json_array_append_new(denials->unenforced, hf_json_text(pattern));
    if (!there && is_folder)
        json_array_append_new(denials->missing, hf_json_text(place));
}

static void deny_listed_places(Denials *denials, const json_t *patterns)
{
    hf_json_each (pattern, patterns) {
        const char *text = json_string_value(pattern);
        gboolean is_folder;
        g_autofree char *place = dup_denied_place(text, &is_folder);
        if (place)
            deny_place(denials, place, is_folder, text);
        else
            json_array_append_new(denials->unenforced, hf_json_text(text));
    }
}

/* Hides sockets that lead to a desk, a desktop or the user's session, and the desk's files, even
 * inside a directory that the owner allows. */
static void hide_listed_places(Denials *denials, const json_t *hidden)
{
    static const char *const always[] = {"/tmp/.X11-unix", "/tmp/.ICE-unix", "/run/user",
                                         "/run/dbus"};
    for (gsize i = 0; i < G_N_ELEMENTS(always); i++)
        if (g_file_test(always[i], G_FILE_TEST_EXISTS))
            deny_place(denials, always[i], TRUE, always[i]);
    hf_json_each (path, hidden) {
        g_autofree char *real = hf_path_dup_real(json_string_value(path));
        if (real && g_file_test(real, G_FILE_TEST_EXISTS))
            deny_place(denials, real, TRUE, real);
    }
}

static json_t *string_list_to_json(const GPtrArray *list)
{
    json_t *json = json_array();
    for (guint i = 0; i < list->len; i++)
        json_array_append_new(json, hf_json_text(list->pdata[i]));
    return json;
}

static void add_plan_directories(json_t *plan, const json_t *walls, const json_t *settings)
{
    g_autoptr(GPtrArray) allowed = list_writable_directories(walls);
    g_autoptr(GPtrArray) covered = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) readable = list_real(json_object_get(settings, "readable"), NULL);
    Denials denials = {allowed, covered, json_array(), json_array()};
    deny_listed_places(&denials, json_object_get(walls, "denied"));
    hide_listed_places(&denials, json_object_get(settings, "hidden"));
    json_object_set_new(plan, "writable", string_list_to_json(allowed));
    json_object_set_new(plan, "readable", string_list_to_json(readable));
    json_object_set_new(plan, "covered", string_list_to_json(covered));
    json_object_set_new(plan, "missing", denials.missing);
    json_object_set_new(plan, "unenforced", denials.unenforced);
}

/* ---- the network ---- */

/* A caller that is limited to some domains gets no network: a shell cannot be limited to names. */
static gboolean decide_network(json_t *plan, const json_t *walls, const json_t *settings,
                               HfThreeState wanted, GError **error)
{
    const json_t *lists = json_object_get(json_object_get(walls, "domains"), "allowed");
    gboolean allowed = hf_json_bool(settings, "network", TRUE);
    gboolean limited = json_array_size(lists) > 0;
    if (wanted == HF_THREE_STATE_YES && (!allowed || limited)) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "%s",
                limited ? "this caller may only visit some domains, and a shell cannot be limited "
                          "to domains"
                        : "the owner's settings give shells no network (shell.network)");
        hf_error_suggest(error, "leave `network` out; use the browser tools for web pages");
        return FALSE;
    }
    json_object_set_new(plan, "network",
                        json_boolean(allowed && !limited && wanted != HF_THREE_STATE_NO));
    return TRUE;
}

/* ---- the shell ---- */

static const char *const passed_variables[] = {
    "PATH",        "LANG",        "LC_ALL",     "LC_CTYPE",    "TZ",       "USER",
    "LOGNAME",     HF_MARK_STAGE, "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY",
    "HTTPS_PROXY", "NO_PROXY",    "all_proxy",  "ALL_PROXY"};
static const char *const desktop_variables[] = {"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY",
                                                "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"};

static char **pass_on_variable(char **environment, const char *name)
{
    const char *value = g_getenv(name);
    return value ? g_environ_setenv(environment, name, value, TRUE) : environment;
}

static char **make_walled_environment(const json_t *settings)
{
    char **environment = g_new0(char *, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(passed_variables); i++)
        environment = pass_on_variable(environment, passed_variables[i]);
    hf_json_each (name, json_object_get(settings, "environment"))
        environment = pass_on_variable(environment, json_string_value(name));
    return g_environ_setenv(environment, "TMPDIR", "/tmp", TRUE);
}

static char **make_open_environment(gboolean display)
{
    char **environment = g_get_environ();
    for (gsize i = 0; i < G_N_ELEMENTS(desktop_variables) && !display; i++)
        environment = g_environ_unsetenv(environment, desktop_variables[i]);
    return environment;
}

/* Only bash knows \w; sh expands variables instead. */
static const char *choose_prompt(const HfSandboxRequest *request)
{
    if (!request->terminal)
        return "";
    if (!request->shell || strcmp(request->shell, "sh") != 0)
        return "\\w\\$ ";
    return getuid() ? "$PWD$ " : "$PWD# ";
}

static void add_environment(json_t *plan, char **take_environment, const HfSandboxRequest *request,
                            const char *home)
{
    const char *const own[][2] = {{"HOME", home},
                                  {"SHELL", "/bin/bash"},
                                  {"TERM", request->terminal ? "xterm-256color" : "dumb"},
                                  {"PS1", choose_prompt(request)},
                                  {"PS2", request->terminal ? "> " : ""},
                                  {"HISTSIZE", "0"},
                                  {"HISTFILE", ""},
                                  {"GIT_PAGER", request->terminal ? NULL : "cat"},
                                  {"PAGER", request->terminal ? NULL : "cat"}};
    char **environment = take_environment;
    for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
        if (own[i][1])
            environment = g_environ_setenv(environment, own[i][0], own[i][1], TRUE);
    json_t *list = json_array();
    for (char **entry = environment; *entry; entry++) {
        json_t *text = json_string(*entry);
        if (text) /* values that are not UTF-8 are dropped */
            json_array_append_new(list, text);
    }
    g_strfreev(environment);
    json_object_set_new(plan, "environment", list);
}

static void add_arguments(json_t *plan, const HfSandboxRequest *request)
{
    if (request->shell && strcmp(request->shell, "sh") == 0)
        json_object_set_new(plan, "arguments", json_pack("[s, s]", "/bin/sh", "-i"));
    else if (request->terminal)
        json_object_set_new(plan, "arguments",
                            json_pack("[s, s, s, s]", "/bin/bash", "--norc", "--noprofile", "-i"));
    else
        json_object_set_new(plan, "arguments",
                            json_pack("[s, s, s, s, s]", "/bin/bash", "--norc", "--noprofile",
                                      "--noediting", "-i"));
    json_object_set_new(plan, "terminal", json_boolean(request->terminal));
    json_object_set_new(plan, "hushed", json_boolean(!request->terminal));
    if (request->rows)
        json_object_set_new(plan, "rows", json_integer(request->rows));
    if (request->columns)
        json_object_set_new(plan, "columns", json_integer(request->columns));
}

/* ---- where it begins ---- */

static gboolean path_lies_in_list(const json_t *list, const char *path)
{
    hf_json_each (outer, list)
        if (path_lies_in(path, json_string_value(outer)))
            return TRUE;
    return FALSE;
}

static gboolean is_shown_in_sandbox(const json_t *plan, const char *path)
{
    return !path_lies_in_list(json_object_get(plan, "covered"), path) &&
           (path_lies_in_list(json_object_get(plan, "writable"), path) ||
            path_lies_in_list(json_object_get(plan, "readable"), path));
}

static gboolean choose_directory(json_t *plan, const json_t *walls, const char *wanted,
                                 const char *home, GError **error)
{
    gboolean open_plan = hf_json_bool(plan, "open", FALSE);
    const char *first = json_string_value(json_array_get(json_object_get(plan, "writable"), 0));
    if (!wanted) {
        json_object_set_new(plan, "directory", hf_json_text(open_plan || !first ? home : first));
        return TRUE;
    }
    g_autofree char *real = hf_path_dup_real(wanted);
    if (!hf_handed_directories_check_seen(walls, wanted, error))
        return FALSE;
    if (!real || !g_file_test(real, G_FILE_TEST_IS_DIR))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "there is no directory '%s'", wanted);
    if (!open_plan && !is_shown_in_sandbox(plan, real)) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is outside the directories that shells may use",
                wanted);
        hf_error_take_details(
            error, json_pack("{s:O}", "allowed_directories", json_object_get(plan, "writable")));
        return FALSE;
    }
    json_object_set_new(plan, "directory", hf_json_text(real));
    return TRUE;
}

/* A sandbox has an empty home, unless the real one is visible. */
static const char *choose_home(json_t *plan)
{
    const char *home = g_get_home_dir();
    g_autofree char *real = hf_path_dup_real(home);
    if (hf_json_bool(plan, "open", FALSE) || (real && is_shown_in_sandbox(plan, real)))
        return home;
    if (!real || path_lies_in_list(json_object_get(plan, "covered"), real) ||
        path_lies_in_list(json_object_get(plan, "writable"), real) || strcmp(real, "/") == 0)
        return "/tmp";
    json_object_set_new(plan, "home", hf_json_text(home));
    return home;
}

/* A shell with the display could type and take pictures past every rule. */
static gboolean check_display_allowed(const json_t *plan, const HfSandboxRequest *request,
                                      GError **error)
{
    if (!request->display || hf_json_bool(plan, "open", FALSE))
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "a shell with access to the display needs full control (level L4)");
    hf_error_suggest(error, "start programs with app_launch, and use the screen tools");
    return FALSE;
}

static json_t *make_plan_limits(const json_t *settings)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "processes",
                     hf_json_int(settings, "processes", 512), "files",
                     hf_json_int(settings, "files", 4096), "file_bytes",
                     hf_json_int(settings, "file_megabytes", 4096) * MEGABYTE, "memory_bytes",
                     hf_json_int(settings, "memory_megabytes", 8192) * MEGABYTE, "tmp_bytes",
                     hf_json_int(settings, "tmp_megabytes", 512) * MEGABYTE);
}
json_t *hf_sandbox_plan_new(const json_t *walls, const HfSandboxRequest *request, GError **error)
{
    const json_t *settings = json_object_get(walls, "shell");
    gboolean open_plan =
        hf_json_bool(walls, "open", FALSE) && request->network != HF_THREE_STATE_NO;
    g_autoptr(json_t) plan = json_pack("{s:b}", "open", open_plan);
    if (!check_display_allowed(plan, request, error))
        return NULL;
    if (open_plan) {
        json_object_set_new(plan, "network", json_true());
    } else {
        if (!decide_network(plan, walls, settings, request->network, error))
            return NULL;
        add_plan_directories(plan, walls, settings);
    }
    json_object_set_new(plan, "limits", make_plan_limits(settings));
    const char *home = choose_home(plan);
    if (!choose_directory(plan, walls, request->directory, home, error))
        return NULL;
    add_environment(plan,
                    open_plan ? make_open_environment(request->display)
                              : make_walled_environment(settings),
                    request, home);
    add_arguments(plan, request);
    return g_steal_pointer(&plan);
}

gboolean hf_sandbox_plan_prepare(const json_t *plan, GError **error)
{
    hf_json_each (path, json_object_get(plan, "missing"))
        if (g_mkdir_with_parents(json_string_value(path), 0700) != 0)
            return hf_fail(error, HF_ERROR_STORAGE_FAILED,
                           "cannot create the denied directory '%s', which has to exist to be "
                           "hidden from shells",
                           json_string_value(path));
    return TRUE;
}

gboolean hf_sandbox_plan_shows(const json_t *plan, const char *path)
{
    g_autofree char *real = hf_path_dup_real(path);
    return real && (hf_json_bool(plan, "open", FALSE) || is_shown_in_sandbox(plan, real));
}

static void copy_plan_list(json_t *to, const char *name, const json_t *plan, const char *member)
{
    const json_t *list = json_object_get(plan, member);
    json_object_set_new(to, name, list ? json_deep_copy(list) : json_array());
}

json_t *hf_sandbox_plan_describe(const json_t *plan)
{
    json_t *result = json_pack("{s:b, s:b}", "open", hf_json_bool(plan, "open", FALSE), "network",
                               hf_json_bool(plan, "network", FALSE));
    copy_plan_list(result, "writable", plan, "writable");
    copy_plan_list(result, "readable", plan, "readable");
    copy_plan_list(result, "hidden", plan, "covered");
    copy_plan_list(result, "unenforced", plan, "unenforced");
    return result;
}
