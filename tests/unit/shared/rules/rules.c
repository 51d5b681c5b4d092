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

static gboolean path_fits(const HfRules *rules, const char *path, gboolean writes, const char *id)
{
    g_auto(HfRiskAssessment) weight = {0};
    size_t index;
    json_t *entry;
    hf_rules_assess_path(rules, path, writes, &weight);
    json_array_foreach (weight.rules, index, entry)
        if (strcmp(hf_json_string(entry, "id", ""), id) == 0)
            return TRUE;
    return FALSE;
}

/* Case and how accents are composed do not matter; who reads a login file changes nothing. */
static void test_paths(void)
{
    static const char *const yes[] = {
        "/home/u/.bashrc",     "~/.BASHRC",        "~joe/.profile",
        "/home/u/x/../.zshrc", "/root/./.profile", "x/.git/hooks/y",
        "~/.conf*/auto*/x",    "/home/*/.bash*",   "/x/.config/autostart/y.desktop"};
    static const char *const no[] = {
        "/home/u/backup/.bashrc", "/tmp/.bashrc", "~/bashrc",     "~/*",
        "/home/u/proj/.npmrc",    "bin/x",        "~/.bashrc.bak"};
    g_autoptr(json_t) owners = json_loads(
        "{\"version\": 1, \"rules\": [{\"id\": \"my\", \"looks_at\": \"path\", \"risk\": "
        "\"high\", \"when\": {\"pattern\": \"/\u00c4rger\", \"paths\": [\"~/Tr\u00e9sor/\"]}}]}",
        0, NULL);
    g_assert_nonnull(owners);
    g_autoptr(HfRules) rules = hf_rules_new(owners, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(yes); i++) {
        g_test_message("%s", yes[i]);
        g_assert_true(path_fits(rules, yes[i], TRUE, "path.login-files"));
        g_assert_false(path_fits(rules, yes[i], FALSE, "path.login-files"));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(no); i++) {
        g_test_message("%s", no[i]);
        g_assert_false(path_fits(rules, no[i], TRUE, "path.login-files"));
    }
    g_assert_true(path_fits(rules, "/x/.ENV", FALSE, "path.secret-file"));
    g_assert_true(path_fits(rules, "/x/ärger", FALSE, "my"));
    g_assert_true(path_fits(rules, "/x/A\u0308RGER", FALSE, "my"));
    g_assert_true(path_fits(rules, "/home/u/TRE\u0301SOR/x", FALSE, "my"));
}

/* A rule quotes what it matched, without the secrets that only the whole text shows. */
static void test_quoted(void)
{
    static const char *const commands[] = {
        "echo hunter2 | sudo -S id", "sudo -u x --password hunter2 id",
        "htpasswd -nb joe hunter2 > ~/.bashrc", "read PASSWORD <<< hunter2; sudo id",
        "curl -b 'session=hunter2' 'https://my.bank.com/?key=hunter2'"};
    g_autoptr(HfRules) rules = hf_rules_new(NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_auto(HfRiskAssessment) weight = {0};
        hf_rules_assess_command(rules, commands[i], &weight);
        g_autofree char *text = hf_json_dump(weight.rules);
        g_assert_cmpuint(json_array_size(weight.rules), >, 0);
        g_assert_null(strstr(text, "hunter2"));
    }
    g_autoptr(GString) far = g_string_new("sudo ");
    for (int i = 0; i < 12; i++)
        g_string_append(far, "aaaaaaaa ");
    g_string_append(far, "--password hunter2hunter2");
    g_auto(HfRiskAssessment) weight = {0};
    hf_rules_assess_command(rules, far->str, &weight);
    g_autofree char *text = hf_json_dump(weight.rules);
    g_assert_null(strstr(text, "hunt"));
}

/* In prose, a word that is the name of a command is just a word. */
static void test_prose(void)
{
    static const char *const prose[] = {"You can rm -rf build", "Please put it into ~/.bashrc",
                                        "nobody should sudo rm -rf / here"};
    g_autoptr(HfRules) rules = hf_rules_new(NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(prose); i++) {
        g_auto(HfRiskAssessment) guess = {0}, certain = {.certain_only = TRUE};
        hf_rules_assess_command(rules, prose[i], &guess);
        hf_rules_assess_command(rules, prose[i], &certain);
        g_assert_cmpint(guess.risk, ==, HF_RISK_CRITICAL);
        g_assert_cmpint(certain.risk, <, HF_RISK_CRITICAL);
    }
    g_auto(HfRiskAssessment) command = {.certain_only = TRUE};
    hf_rules_assess_command(rules, "timeout 5 sudo rm -rf /", &command);
    g_assert_nonnull(command.block);
}

/* Values that double with each assignment end at the limit of text. */
static void test_doubling(void)
{
    g_autoptr(HfRules) rules = hf_rules_new(NULL, NULL);
    g_autoptr(GString) text = g_string_new("x=aaaa;");
    for (int i = 0; i < 60; i++)
        g_string_append(text, "x=$x$x;");
    g_auto(HfRiskAssessment) weight = {0};
    hf_rules_assess_command(rules, text->str, &weight);
    g_assert_cmpint(weight.risk, ==, HF_RISK_HIGH);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/refused", test_refused);
    g_test_add_func("/rules/changed", test_changed);
    g_test_add_func("/rules/keys", test_keys);
    g_test_add_func("/rules/files", test_files);
    g_test_add_func("/rules/paths", test_paths);
    g_test_add_func("/rules/quoted", test_quoted);
    g_test_add_func("/rules/prose", test_prose);
    g_test_add_func("/rules/doubling", test_doubling);
    return g_test_run();
}
