/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast config get|set|held|accept|check`. If a desk runs, it answers and writes, because only
 * the desk knows who the owner is. Otherwise the file is read and written here, by the same rules.
 */
#include <stdio.h>

#include "cli/approval-prompt.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-tool-names.h"
#include "desk/policy/config/config.h"
#include "desk/policy/config/live-config.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"
#include "shared/tool/schema.h"

/* A plain text as it is (with --json in quotes), everything else as indented JSON. */
static void print_config_value(const json_t *value)
{
    if (json_is_string(value) && !hf_print_is_json()) {
        printf("%s\n", json_string_value(value));
        return;
    }
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    printf("\n");
}

static const HfParam *find_config_field(const char *path, GError **error)
{
    g_auto(GStrv) names = hf_config_path_split(path, error);
    const HfParam *field = names ? hf_config_path_describe((const char *const *)names) : NULL;
    if (names && !field) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no field '%s'", path);
        hf_error_suggest(error, "see all fields: handfast config get");
    }
    return field;
}

static int get_without_desk(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = hf_path_dup_config();
    g_autofree char *policy = hf_path_dup_policy();
    if (path && !find_config_field(path, &error))
        return hf_cli_report_failure(error);
    g_autoptr(HfConfig) config = hf_config_load(file, policy, &error);
    if (!config)
        return hf_cli_report_failure(error);
    const json_t *value = path ? hf_config_get(config, path) : hf_config_document(config);
    print_config_value(value ? value : json_null());
    return HF_EXIT_OK;
}

/* The desk's answer; NULL without an error when no desk runs. */
static json_t *ask_desk(const char *method, json_t *take_params, GError **error)
{
    g_autoptr(GError) problem = NULL;
    json_t *answer = hf_cli_request(method, take_params, &problem);
    if (problem && !g_error_matches(problem, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING))
        g_propagate_error(error, g_steal_pointer(&problem));
    return answer;
}

static int show_config_answer(const json_t *answer)
{
    if (hf_json_bool(answer, "ok", FALSE))
        return HF_EXIT_OK;
    hf_print_error(json_object_get(answer, "error"));
    return HF_EXIT_FAILED;
}

static int config_get(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) answer =
        ask_desk("config.get",
                 path ? json_pack("{s:o}", "path", hf_json_text(path)) : json_object(), &error);
    if (error)
        return hf_cli_report_failure(error);
    if (!answer)
        return get_without_desk(path);
    int status = show_config_answer(answer);
    if (status == HF_EXIT_OK)
        print_config_value(json_object_get(json_object_get(answer, "result"), "value"));
    return status;
}

/* Plain text for a text field; JSON for all others, and `null` for any. */
static json_t *parse_config_value(const HfParam *field, const char *word, GError **error)
{
    json_t *json = json_loads(word, JSON_DECODE_ANY, NULL);
    if (json && (field->type != HF_TYPE_STRING || json_is_string(json) || json_is_null(json)))
        return json;
    json_decref(json);
    if (field->type == HF_TYPE_STRING && g_utf8_validate(word, -1, NULL))
        return json_string(word);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "expected %s as JSON, not '%s'",
            hf_type_name(field->type), word);
    hf_error_suggest(error, "write it like '[\"one\", \"two\"]'");
    return NULL;
}

static int set_without_desk(const char *path, json_t *value)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = hf_path_dup_config();
    g_autofree char *policy = hf_path_dup_policy();
    if (!hf_live_config_set_in_file(file, policy, path,
                                    json_is_null(value) ? NULL : json_incref(value), &error))
        return hf_cli_report_failure(error);
    return HF_EXIT_OK;
}

static int config_set(const char *path, const char *word)
{
    g_autoptr(GError) error = NULL;
    const HfParam *field = find_config_field(path, &error);
    g_autoptr(json_t) value = field ? parse_config_value(field, word, &error) : NULL;
    if (!value)
        return hf_cli_report_failure(error);
    g_autoptr(json_t) answer =
        ask_desk("config.set", json_pack("{s:s, s:O}", "path", path, "value", value), &error);
    if (error)
        return hf_cli_report_failure(error);
    int status = answer ? show_config_answer(answer) : set_without_desk(path, value);
    g_autofree char *sentence = g_strdup_printf(_("  %s is set"), path);
    g_autoptr(json_t) result = json_pack("{s:s, s:O}", "path", path, "value", value);
    if (status == HF_EXIT_OK)
        hf_print_result(result, sentence);
    return status;
}

/* ---- changes that wait for the owner ---- */

static void print_held_value(const char *name, const json_t *value)
{
    g_autofree char *text = value ? hf_json_dump(value) : NULL;
    g_autofree char *harmless = text ? hf_dup_harmless_text(text) : NULL;
    printf("    %s %s\n", name, harmless ? harmless : _("(not set)"));
}

static void print_held_changes(const json_t *held)
{
    hf_json_each (change, held) {
        g_autofree char *field = hf_dup_harmless_text(hf_json_string(change, "field", "?"));
        printf("  %s\n", field);
        print_held_value("-", json_object_get(change, "accepted"));
        print_held_value("+", json_object_get(change, "wanted"));
    }
}

static int config_held(void)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("config.held", json_object(), &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result && json_array_size(json_object_get(result, "held")) == 0)
        printf(_("No change of the configuration waits.\n"));
    else if (result)
        print_held_changes(json_object_get(result, "held"));
    return status;
}

static gboolean ask_to_accept(void)
{
    char word[64] = "";
    printf(_("This allows more than before. Did you make this change, and should it hold? [y/N] "));
    fflush(stdout);
    return fgets(word, sizeof word, stdin) && hf_answer_means_yes(g_strstrip(word));
}

static int config_accept(void)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("config.held", json_object(), &status);
    const json_t *held = json_object_get(result, "held");
    if (!result)
        return status;
    if (json_array_size(held) > 0 && !hf_print_is_json()) {
        print_held_changes(held);
        if (!ask_to_accept()) {
            printf(_("It is still held. To drop it, change the file back.\n"));
            return HF_EXIT_FAILED;
        }
    }
    return hf_cli_request_and_print(
        "config.accept", json_pack("{s:s}", "hash", hf_json_string(result, "hash", "")),
        g_strdup(json_array_size(held) > 0 ? _("  the configuration is accepted")
                                           : _("  no change of the configuration waits")));
}

static void print_check(const HfConfig *config, const json_t *unknown, const char *file,
                        gboolean exists, const char *policy)
{
    if (exists)
        printf(_("%s is valid.\n"), file);
    else
        printf(_("%s does not exist; the defaults apply.\n"), file);
    hf_json_each (field, hf_config_get_locked(config))
        printf(_("  %s is decided by %s\n"), json_string_value(field), policy);
    hf_json_each (field, unknown)
        printf(_("  %s: this version of Handfast has no such tool\n"), json_string_value(field));
}

static int config_check(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = path ? g_strdup(path) : hf_path_dup_config();
    g_autofree char *policy = hf_path_dup_policy();
    g_autoptr(json_t) document = hf_config_file_read(file, &error);
    if (document && json_is_null(document) && path)
        hf_fail(&error, HF_ERROR_INVALID_PARAMS, "there is no file '%s'", path);
    g_autoptr(HfConfig) config = error ? NULL : hf_config_load(file, policy, &error);
    if (!config)
        return hf_cli_report_failure(error);
    g_autoptr(json_t) unknown = hf_config_dup_unknown_tools(hf_config_document(config));
    if (hf_print_is_json()) {
        g_autoptr(json_t) report =
            json_pack("{s:b, s:o, s:b, s:O, s:O}", "ok", 1, "file", hf_json_text(file), "exists",
                      !json_is_null(document), "locked", hf_config_get_locked(config),
                      "unknown_tools", unknown);
        hf_print_json(report);
        return HF_EXIT_OK;
    }
    print_check(config, unknown, file, !json_is_null(document), policy);
    return HF_EXIT_OK;
}

/* For editors, and for the contract test. */
static int config_schema(void)
{
    g_autoptr(json_t) schema = hf_schema_of_table(hf_config_fields);
    hf_print_json(schema);
    return HF_EXIT_OK;
}

int hf_command_config(const HfCommandArguments *arguments)
{
    const char *field = hf_command_arguments_value(arguments, "FIELD");
    if (hf_command_arguments_is(arguments, "get"))
        return config_get(field);
    if (hf_command_arguments_is(arguments, "set"))
        return config_set(field, hf_command_arguments_value(arguments, "VALUE"));
    if (hf_command_arguments_is(arguments, "held"))
        return config_held();
    if (hf_command_arguments_is(arguments, "accept"))
        return config_accept();
    return hf_command_arguments_is(arguments, "check")
               ? config_check(hf_command_arguments_value(arguments, "FILE"))
               : config_schema();
}
