/* SPDX-License-Identifier: Apache-2.0 */
/* Which programs count as commands, as a table; and that launching one needs more only outside of a
 * container. */
#include "desk/guard/policy/command-programs.h"

#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

typedef enum Facts { SYSTEM = 1, APPLICATION = 2, CHROMIUM = 4, SCRIPT = 8 } Facts;
#define INSTALLED (SYSTEM | APPLICATION)

static const struct {
    const char *name;
    Facts facts;
    const char *argument; /* NULL: none */
    gboolean command;
} rows[] = {
    {"mousepad", INSTALLED, NULL, FALSE},
    {"mousepad", INSTALLED, "/home/u/letter.txt", FALSE},
    {"mousepad", INSTALLED, "--new-window", FALSE},
    {"mousepad", INSTALLED, "--gtk-module=/tmp/x.so", TRUE},
    {"mousepad", SYSTEM, NULL, TRUE},
    {"mousepad", 0, NULL, TRUE},
    {"mousepad", SCRIPT, NULL, TRUE},
    {"bash", INSTALLED, NULL, TRUE},
    {"dash", SYSTEM, NULL, TRUE},
    {"python3.11", INSTALLED, NULL, TRUE},
    {"python3", INSTALLED, NULL, TRUE},
    {"perl5.36.0", INSTALLED, NULL, TRUE},
    {"gcc-12", INSTALLED, NULL, TRUE},
    {"x86_64-linux-gnu-gcc-12", INSTALLED, NULL, TRUE},
    {"xterm", INSTALLED, NULL, TRUE},
    {"gnome-terminal.real", INSTALLED, NULL, TRUE},
    {"emacs-gtk", INSTALLED, NULL, TRUE},
    {"cp", SYSTEM, "a", TRUE},
    {"chromium", INSTALLED | CHROMIUM, "https://example.com/", FALSE},
    {"chromium", INSTALLED | CHROMIUM, "--remote-debugging-port=9222", TRUE},
    {"chromium", INSTALLED | CHROMIUM, "javascript:alert(1)", TRUE},
    {"firefox-esr", INSTALLED, "-P", TRUE},
    {"soffice", INSTALLED, "macro:///Standard.Module1.Main", TRUE},
};

static json_t *new_program(gsize row)
{
    Facts facts = rows[row].facts;
    g_autofree char *path = g_strconcat("/usr/bin/", rows[row].name, NULL);
    json_t *program = json_pack("{s:s, s:[s], s:[], s:b, s:b, s:b}", "executable", path, "names",
                                rows[row].name, "arguments", "system", facts & SYSTEM,
                                "application", facts & APPLICATION, "chromium", facts & CHROMIUM);
    if (facts & SCRIPT)
        json_object_set_new(program, "interpreter", json_string("/usr/bin/dash"));
    if (rows[row].argument)
        json_array_append_new(json_object_get(program, "arguments"),
                              json_string(rows[row].argument));
    return program;
}

static void test_table(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(json_t) program = new_program(i);
        g_test_message("%s %s", rows[i].name, rows[i].argument ? rows[i].argument : "");
        g_assert_cmpint(hf_command_program_reason(program) != NULL, ==, rows[i].command);
    }
}

static const HfTool launch_tool = {.name = "launch",
                                   .risk = HF_RISK_MEDIUM,
                                   .level = HF_LEVEL_STANDARD,
                                   .command = {HF_RISK_HIGH, HF_LEVEL_ELEVATED}};

static gboolean run_step(const json_t *program, HfLevel level, gboolean contained, HfRisk *ret_risk,
                         GError **error)
{
    HfCaller caller = {.kind = HF_CALLER_CLIENT, .name = "test", .level = level};
    HfRequest request = {.caller = &caller};
    g_autoptr(json_t) inspected = json_pack("{s:O}", "program", program);
    HfConfig *config = hf_config_new_default();
    HfPassage passage = {.request = &request,
                         .config = config,
                         .tool = &launch_tool,
                         .contained = contained,
                         .inspected = inspected,
                         .judgement.risk = HF_RISK_MEDIUM};
    gboolean passed = hf_step_launched_program(&passage, error);
    *ret_risk = passage.judgement.risk;
    hf_config_unref(config);
    return passed;
}

static void test_needs(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(json_t) program = new_program(i);
        g_autoptr(GError) error = NULL;
        HfRisk risk;
        g_test_message("%s %s", rows[i].name, rows[i].argument ? rows[i].argument : "");
        gboolean passed = run_step(program, HF_LEVEL_STANDARD, FALSE, &risk, &error);
        g_assert_cmpint(passed, ==, !rows[i].command);
        if (!passed)
            g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
        g_assert_true(run_step(program, HF_LEVEL_ELEVATED, FALSE, &risk, NULL));
        g_assert_cmpint(risk, ==, rows[i].command ? HF_RISK_HIGH : HF_RISK_MEDIUM);
        g_assert_true(run_step(program, HF_LEVEL_STANDARD, TRUE, &risk, NULL));
        g_assert_cmpint(risk, ==, HF_RISK_MEDIUM);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/command-programs/table", test_table);
    g_test_add_func("/command-programs/needs", test_needs);
    return g_test_run();
}
