/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast token new|list|rotate|revoke`: access tokens for HTTP. A new token is printed once,
 * alone on its line, so that a script can read it. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/duration.h"
#include "cli/print.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

static json_t *new_token_params(const HfCommandArguments *arguments)
{
    json_t *params =
        json_pack("{s:o}", "name", hf_json_text(hf_command_arguments_value(arguments, "NAME")));
    const char *expires = hf_command_arguments_get(arguments, "expires");
    g_autofree char *time = expires ? hf_cli_dup_time(expires) : NULL;
    hf_command_arguments_add_text(arguments, "level", params, "level");
    hf_command_arguments_add_text(arguments, "role", params, "role");
    hf_command_arguments_add_text(arguments, "grant", params, "grant");
    if (time)
        json_object_set_new(params, "expires_at", hf_json_text(time));
    return params;
}

static int show_token(const char *method, json_t *take_params)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request(method, take_params, &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    if (!result || hf_print_is_json())
        return status;
    printf("%s\n", hf_json_string(result, "token", ""));
    fflush(stdout);
    fprintf(stderr, "%s\n",
            _("Keep the token: it is not shown again. Clients send it as: Authorization: Bearer "
              "TOKEN"));
    return status;
}

/* Adds times as a person reads them. */
static void make_readable(json_t *tokens)
{
    static const char *const times[] = {"made", "expires", "used"};
    hf_json_each (token, tokens)
        for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
            gint64 ms = hf_json_int(token, times[i], 0);
            g_autoptr(GDateTime) time = ms ? g_date_time_new_from_unix_local(ms / 1000) : NULL;
            g_autofree char *text = time ? g_date_time_format(time, "%F %H:%M") : NULL;
            if (text)
                json_object_set_new(token, times[i], json_string(text));
        }
}

static int list_tokens(void)
{
    static const char *const columns[] = {"name",    "role", "level", "grant", "state",
                                          "expires", "made", "used",  NULL};
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("token.list", json_object(), &status);
    json_t *tokens = json_object_get(result, "tokens");
    if (result && hf_print_is_json()) {
        hf_print_json(result);
    } else if (result) {
        make_readable(tokens);
        hf_print_table(tokens, columns);
    }
    return status;
}

static int revoke_token(const char *name)
{
    return hf_cli_request_and_print("token.revoke", json_pack("{s:o}", "name", hf_json_text(name)),
                                    g_strdup_printf(_("  token %s was revoked"), name));
}

int hf_command_token(const HfCommandArguments *arguments)
{
    const char *name = hf_command_arguments_value(arguments, "NAME");
    if (hf_command_arguments_is(arguments, "list"))
        return list_tokens();
    if (hf_command_arguments_is(arguments, "new"))
        return show_token("token.new", new_token_params(arguments));
    if (hf_command_arguments_is(arguments, "revoke"))
        return revoke_token(name);
    return show_token("token.rotate", json_pack("{s:o}", "name", hf_json_text(name)));
}
