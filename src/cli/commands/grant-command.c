/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast grant new|list|show|revoke`. This only turns words into a grant; the desk decides
 * whether it may be given. */
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/duration.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* Adds the words as an array, if there are any. */
static void add_words_array(json_t *object, const char *name, char **words, gboolean split)
{
    json_t *list = json_array();
    for (char **word = words; word && *word; word++) {
        g_auto(GStrv) parts = g_strsplit(*word, split ? "," : "\n", -1);
        for (char **part = parts; *part; part++)
            json_array_append_new(list, hf_json_text(g_strstrip(*part)));
    }
    if (json_array_size(list) > 0)
        json_object_set(object, name, list);
    json_decref(list);
}

/* Each application, limited to windows of the directory. */
static void bind_apps(json_t *restrictions, const char *workspace)
{
    g_autofree char *path = g_canonicalize_filename(workspace, NULL);
    json_t *list = json_object_get(restrictions, "allowed_apps");
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_set_new(list, i,
                           json_pack("{s:O, s:o}", "app", json_array_get(list, i), "workspace",
                                     hf_json_text(path)));
}

static json_t *restrictions_of(const HfCommandArguments *arguments, gint64 max_calls)
{
    json_t *restrictions = json_object();
    const char *workspace = hf_command_arguments_get(arguments, "workspace"),
               *expires = hf_command_arguments_get(arguments, "expires");
    add_words_array(restrictions, "allowed_directories", hf_command_arguments_all(arguments, "dir"),
                    FALSE);
    add_words_array(restrictions, "allowed_domains", hf_command_arguments_all(arguments, "domain"),
                    FALSE);
    add_words_array(restrictions, "allowed_apps", hf_command_arguments_all(arguments, "app"),
                    FALSE);
    hf_command_arguments_add_text(arguments, "max-risk", restrictions, "max_risk_level");
    if (workspace)
        bind_apps(restrictions, workspace);
    if (expires) {
        g_autofree char *time = hf_cli_dup_time(expires);
        json_object_set_new(restrictions, "expires_at", hf_json_text(time));
    }
    if (max_calls)
        json_object_set_new(restrictions, "max_calls", json_integer(max_calls));
    return restrictions;
}

/* {TOOL: ACTION}, or NULL. */
static json_t *overrides_of(const HfCommandArguments *arguments, GError **error)
{
    g_autoptr(json_t) overrides = json_object();
    for (char **word = hf_command_arguments_all(arguments, "override"); *word; word++) {
        const char *sign = strchr(*word, '=');
        if (!sign) {
            hf_fail(error, HF_ERROR_INVALID_PARAMS, "--override expects TOOL=ACTION, not '%s'",
                    *word);
            return NULL;
        }
        g_autofree char *tool = g_strndup(*word, (gsize)(sign - *word));
        json_object_set_new(overrides, tool, hf_json_text(sign + 1));
    }
    return g_steal_pointer(&overrides);
}

static json_t *grant_of(const HfCommandArguments *arguments, GError **error)
{
    gint64 max_calls = 0;
    if (hf_command_arguments_has(arguments, "workspace") &&
        !hf_command_arguments_has(arguments, "app")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "--workspace limits applications; name them with --app");
        return NULL;
    }
    if (!hf_command_arguments_int(arguments, "max-calls", &max_calls, error))
        return NULL;
    g_autoptr(json_t) overrides = overrides_of(arguments, error);
    if (!overrides)
        return NULL;
    json_t *grant = json_object();
    add_words_array(grant, "tools", hf_command_arguments_all(arguments, "tools"), TRUE);
    json_object_set_new(grant, "restrictions", restrictions_of(arguments, max_calls));
    json_object_set(grant, "approval_overrides", overrides);
    return grant;
}

static int show_grant(const char *method, json_t *take_params)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request(method, take_params, &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result)
        hf_print_object(result);
    return status;
}

static int grant_new(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    json_t *grant = grant_of(arguments, &error);
    if (!grant) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    json_t *params = json_pack("{s:o}", "grant", grant);
    const char *name = hf_command_arguments_value(arguments, "NAME");
    if (name)
        json_object_set_new(params, "id", hf_json_text(name));
    hf_command_arguments_add_text(arguments, "from", params, "from");
    return show_grant("grant.new", params);
}

static int grant_list(void)
{
    static const char *const columns[] = {"id",    "parent", "made_by", "revoked",
                                          "calls", "grant",  NULL};
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("grant.list", json_object(), &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result)
        hf_print_table(json_object_get(result, "grants"), columns);
    return status;
}

static int grant_revoke(const char *id)
{
    return hf_cli_request_and_print("grant.revoke", json_pack("{s:s}", "id", id),
                                    g_strdup_printf(_("  grant %s was revoked"), id));
}

int hf_command_grant(const HfCommandArguments *arguments)
{
    const char *id = hf_command_arguments_value(arguments, "GRANT");
    if (hf_command_arguments_is(arguments, "new"))
        return grant_new(arguments);
    if (hf_command_arguments_is(arguments, "list"))
        return grant_list();
    return hf_command_arguments_is(arguments, "show")
               ? show_grant("grant.show", json_pack("{s:s}", "id", id))
               : grant_revoke(id);
}
