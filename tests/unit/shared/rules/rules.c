/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's rules: what they may add, change and not loosen, and that mistakes name their field.
 */
#include "shared/rules/rules.h"

#include <string.h>

#include "shared/base/error.h"

static HfRules *load(const char *rule, GError **error)
{
    g_autofree char *text = g_strdup_printf("{\"version\": 1, \"rules\": [%s]}", rule);
    g_autoptr(json_t) json = json_loads(text, 0, NULL);
    g_assert_nonnull(json);
    return hf_rules_new(json, error);
}

static void test_refused(void)
{
    static const struct {
        const char *rule, *word;
    } cases[] = {
        {"{}", "rules[0].id"},
        {"{\"id\": \"x\"}", "looks_at"},
        {"{\"id\": \"x\", \"looks_at\": \"moon\"}", "rules[0].looks_at"},
        {"{\"id\": \"x\", \"looks_at\": \"keys\", \"risk\": \"high\"}", "when"},
        {"{\"id\": \"x\", \"looks_at\": \"keys\", \"risk\": \"high\", \"when\": {\"keys\": "
         "[\"nokey+a\"]}}",
         "when.keys"},
        {"{\"id\": \"x\", \"looks_at\": \"text\", \"risk\": \"high\", \"when\": {\"pattern\": "
         "\"(\"}}",
         "pattern"},
        {"{\"id\": \"x\", \"looks_at\": \"text\", \"risk\": \"high\", \"when\": {\"flags\": "
         "[\"f\"]}}",
         "rules[0].when.flags[0]"},
        {"{\"id\": \"shell.privilege\", \"off\": true}", "not less strict"},
        {"{\"id\": \"shell.privilege\", \"ask_always\": false}", "not less strict"},
        {"{\"id\": \"keys.stop-chord\", \"risk\": \"critical\"}", "not less strict"},
        {"{\"id\": \"shell.sql-drop\", \"risk\": \"low\"}", "not less strict"},
        {"{\"id\": \"shell.sql-drop\", \"looks_at\": \"command\"}", "already used"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfRules) rules = load(cases[i].rule, &error);
        g_test_message("%s", cases[i].rule);
        g_assert_null(rules);
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_assert_nonnull(strstr(error->message, cases[i].word));
    }
}

static HfRisk weigh_keys(const char *rule, const char *keys)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfRules) rules = load(rule, &error);
    g_assert_no_error(error);
    g_auto(HfRiskAssessment) weight = {0};
    hf_rules_assess_keys(rules, (const char *const[]){keys, NULL}, &weight);
    return weight.risk;
}

static void test_changed(void)
{
    const char *off = "{\"id\": \"keys.run-dialog\", \"off\": true}";
    const char *stricter = "{\"id\": \"keys.run-dialog\", \"risk\": \"critical\"}";
    const char *added = "{\"id\": \"my.keys\", \"looks_at\": \"keys\", \"risk\": \"critical\", "
                        "\"when\": {\"keys\": [\"ctrl+e\"]}}";
    g_assert_cmpint(weigh_keys("", "alt+f2"), ==, HF_RISK_HIGH);
    g_assert_cmpint(weigh_keys(off, "alt+f2"), ==, HF_RISK_NONE);
    g_assert_cmpint(weigh_keys(stricter, "R+win"), ==, HF_RISK_CRITICAL);
    g_assert_cmpint(weigh_keys(added, "E+ctrl"), ==, HF_RISK_CRITICAL);
    g_assert_cmpint(weigh_keys("", "e+ctrl"), ==, HF_RISK_NONE);
}

static void test_keys(void)
{
    static const struct {
        const char *keys;
        HfRisk risk;
    } cases[] = {
        {"super+d", HF_RISK_HIGH},
        {"cmd+space", HF_RISK_HIGH},
        {"super", HF_RISK_HIGH},
        {"alt+tab", HF_RISK_HIGH},
        {"alt+shift+tab", HF_RISK_HIGH},
        {"ctrl+alt+right", HF_RISK_HIGH},
        {"super+l", HF_RISK_CRITICAL},
        {"ctrl+alt+delete", HF_RISK_CRITICAL},
        {"ctrl+alt+end", HF_RISK_CRITICAL},
        {"ctrl+tab", HF_RISK_NONE},
        {"ctrl+shift+right", HF_RISK_NONE},
        {"tab", HF_RISK_NONE},
        {"alt+left", HF_RISK_NONE},
        {"ctrl+s", HF_RISK_NONE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].keys);
        g_assert_cmpint(weigh_keys("", cases[i].keys), ==, cases[i].risk);
    }
}

/* A file whose content is known is what it says, if the program that gets it runs it. */
static void test_files(void)
{
    static const struct {
        const char *arguments[5], *content;
        const char *rule; /* that must fit; NULL: none may */
    } cases[] = {
        {{"bash", "/s"}, "echo hi\n", NULL},
        {{"bash", "/s"}, "rm -rf /\n", "shell.rm-root"},
        {{"/bin/sh", "-e", "/s"}, "#!/bin/sh -e\nrm -rf /\n", "shell.rm-root"},
        {{"/usr/bin/env", "bash", "/s"}, "rm -rf /\n", "shell.rm-root"},
        {{"bash", "/s", "one", "two"}, "f() { rm -rf /; }; f\n", "shell.rm-root"},
        {{"bash", "/other"}, "rm -rf /\n", NULL},
        {{"cat", "/s"}, "rm -rf /\n", NULL},
        {{"bash", "/s"}, "bash /s; rm -rf /\n", "shell.rm-root"}, /* runs itself */
        {{"python3", "/s"}, "import shutil; shutil.rmtree('/')\n", "shell.code-deletes-root"},
        {{"env", "python3", "-u", "/s"}, "import os; os.system('rm -rf /')\n", "shell.rm-root"},
        {{"perl", "/s"}, "system('rm -rf /');\n", "shell.rm-root"},
        {{"python3", "-c", "pass", "/s"}, "import shutil; shutil.rmtree('/')\n", NULL},
        {{"bash", "/s"}, "echo 'never closed\n", "shell.unreadable"},
    };
    g_autoptr(HfRules) rules = hf_rules_new(NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(HfRiskAssessment) weight = {0};
        gboolean fits = FALSE;
        size_t index;
        json_t *entry;
        hf_rules_assess_file(rules, cases[i].arguments, "/s", cases[i].content, &weight);
        json_array_foreach (weight.rules, index, entry)
            fits |= g_strcmp0(hf_json_string(entry, "id", ""), cases[i].rule) == 0;
        g_test_message("%s: %s", cases[i].arguments[0], cases[i].content);
        g_assert_true(cases[i].rule ? fits : json_array_size(weight.rules) == 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/refused", test_refused);
    g_test_add_func("/rules/changed", test_changed);
    g_test_add_func("/rules/keys", test_keys);
    g_test_add_func("/rules/files", test_files);
    return g_test_run();
}
