/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast doctor`: runs all checks and prints them, with a summary. */
#include "cli/doctor/doctor.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"

static const char *const health_names[] = {"ok", "warn", "fail"};
static const char *const health_colours[] = {"\033[32m", "\033[33m", "\033[31m"};

static const HfCheck *const groups[] = {hf_doctor_file_checks, hf_doctor_machine_checks,
                                        hf_doctor_desktop_checks};

void hf_finding_set(HfFinding *finding, HfHealth health, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_free(finding->message);
    finding->message = g_strdup_vprintf(format, arguments);
    finding->health = health;
    va_end(arguments);
}

void hf_finding_repair(HfFinding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_free(finding->repair);
    finding->repair = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

/* Printed at once, because some checks take long. */
static void show_finding(const HfCheck *check, const HfFinding *finding)
{
    gboolean colours = isatty(1) && !g_getenv("NO_COLOR");
    printf("%s%-4s%s  %-14s %s\n", colours ? health_colours[finding->health] : "",
           health_names[finding->health], colours ? "\033[0m" : "", check->name, finding->message);
    if (finding->repair)
        printf("                      → %s\n", finding->repair);
    fflush(stdout);
}

static json_t *finding_to_json(const HfCheck *check, const HfFinding *finding)
{
    json_t *json =
        json_pack("{s:s, s:s, s:o}", "check", check->name, "health", health_names[finding->health],
                  "message", hf_json_text(finding->message));
    if (finding->repair)
        json_object_set_new(json, "repair", hf_json_text(finding->repair));
    return json;
}

static void run_check(HfDoctor *doctor, const HfCheck *check, json_t *checks, guint *counts)
{
    HfFinding finding = {.message = g_strdup("")};
    check->run(doctor, &finding);
    counts[finding.health]++;
    if (!hf_print_is_json())
        show_finding(check, &finding);
    json_array_append_new(checks, finding_to_json(check, &finding));
    g_free(finding.message);
    g_free(finding.repair);
}

static HfConfig *load_config(void)
{
    g_autofree char *file = hf_path_dup_config(), *policy = hf_path_dup_policy();
    HfConfig *config = hf_config_load(file, policy, NULL);
    return config ? config : hf_config_new_default();
}

static json_t *ask_status(void)
{
    g_autoptr(json_t) answer = hf_cli_request("status", json_object(), NULL);
    json_t *result = json_object_get(answer, "result");
    return result ? json_incref(result) : NULL;
}

int hf_command_doctor(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) words =
        hf_command_arguments_parse_or_report("doctor", argc, argv);
    if (!words)
        return HF_EXIT_USAGE;
    guint counts[G_N_ELEMENTS(health_names)] = {0};
    g_autoptr(HfConfig) config = load_config();
    g_autoptr(HfTestDesk) probe = hf_test_desk_new();
    g_autoptr(json_t) status = ask_status(), checks = json_array();
    HfDoctor doctor = {config, probe, status};
    for (gsize i = 0; i < G_N_ELEMENTS(groups); i++)
        for (const HfCheck *check = groups[i]; check->name; check++)
            run_check(&doctor, check, checks, counts);
    gboolean well = counts[HF_HEALTH_FAIL] == 0;
    g_autoptr(json_t) report =
        json_pack("{s:b, s:s, s:O}", "ok", well, "version", HF_VERSION, "checks", checks);
    g_autofree char *sentence =
        g_strdup_printf(_("%u ok, %u warnings, %u failed"), counts[HF_HEALTH_OK],
                        counts[HF_HEALTH_WARN], counts[HF_HEALTH_FAIL]);
    printf("%s", hf_print_is_json() ? "" : "\n");
    hf_print_result(report, sentence);
    return well ? HF_EXIT_OK : HF_EXIT_FAILED;
}
