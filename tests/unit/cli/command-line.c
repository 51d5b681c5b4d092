/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a command line by the command's usage: what is taken, and what a slip is told. */
#include "cli/command-arguments.h"

#include <string.h>

#include "cli/closest-name.h"
#include "cli/commands.h"
#include "cli/duration.h"
#include "cli/flag-help.h"
#include "cli/usage.h"
#include "shared/base/error.h"
#include "shared/tool/registry.h"

static HfCommandArguments *parse(const char *line, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    int count = (int)g_strv_length(words);
    static char *kept[64]; /* the words are borrowed */
    for (int i = 0; i < count; i++)
        kept[i] = (char *)g_intern_string(words[i]);
    return hf_command_arguments_new(kept[0], count - 1, kept + 1, error);
}

static void test_what_is_taken(void)
{
    g_autoptr(HfCommandArguments) words =
        parse("desktop new --size 10x20 work --scale=2 --private-home --json", NULL);
    g_assert_nonnull(words);
    g_assert_true(hf_command_arguments_is(words, "new"));
    g_assert_cmpstr(hf_command_arguments_value(words, "NAME"), ==, "work");
    g_assert_cmpstr(hf_command_arguments_get(words, "size"), ==, "10x20");
    g_assert_cmpstr(hf_command_arguments_get(words, "scale"), ==, "2");
    g_assert_true(hf_command_arguments_has(words, "private-home") &&
                  hf_command_arguments_has(words, "json"));
    g_assert_false(hf_command_arguments_has(words, "depth"));
    g_assert_null(hf_command_arguments_get(words, "depth"));
}

static void test_what_may_be_left_out_or_said_again(void)
{
    static const char *const lines[] = {"approvals", "approvals list", "approvals --all list",
                                        NULL};
    for (const char *const *line = lines; *line; line++) {
        g_autoptr(HfCommandArguments) words = parse(*line, NULL);
        g_assert_nonnull(words);
        g_assert_false(hf_command_arguments_is(words, "show"));
    }
    g_autoptr(HfCommandArguments) grant = parse("grant new --tools a --dir x --dir y", NULL);
    g_assert_cmpuint(g_strv_length(hf_command_arguments_all(grant, "dir")), ==, 2);
    g_assert_cmpstr(hf_command_arguments_get(grant, "dir"), ==, "y");
    g_assert_null(hf_command_arguments_value(grant, "NAME"));
    g_autoptr(HfCommandArguments) export = parse("export --output=f -- -odd", NULL);
    g_assert_cmpstr(hf_command_arguments_get(export, "o"), ==, "f");
    g_assert_cmpstr(hf_command_arguments_value(export, "RUN"), ==, "-odd");
}

/* What is yes or no may say which. */
static void test_switches(void)
{
    static const struct {
        const char *line;
        gboolean on;
    } cases[] = {
        {"undo", FALSE},
        {"undo --dry_run", TRUE},
        {"undo --dry_run true", TRUE},
        {"undo --dry_run=true", TRUE},
        {"undo --dry_run false", FALSE},
        {"undo --dry_run=false", FALSE},
        {"undo --dry_run --last 2", TRUE},
        {"undo --dry_run true --last 2", TRUE},
        {"undo --dry_run --dry_run false", FALSE},
        {"undo --dry_run=false --dry_run", TRUE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfCommandArguments) words = parse(cases[i].line, &error);
        g_test_message("%s", cases[i].line);
        g_assert_no_error(error);
        g_assert_cmpint(hf_command_arguments_has(words, "dry_run"), ==, cases[i].on);
    }
}

static void test_slips(void)
{
    static const struct {
        const char *line, *says, *meant;
    } cases[] = {
        {"desktop lst", "'lst'", "'list'"},
        {"desktop", "new, list, show, rm, attach", NULL},
        {"desktop new", "NAME is missing", NULL},
        {"desktop new a b", "unexpected argument 'b'", NULL},
        {"desktop new a --siez 1x1", "'--siez'", "'--size'"},
        {"desktop new a --size", "--size needs a value: WxH", NULL},
        {"desktop new a --depth 25", "16|24|30", "'24'"},
        {"desktop new a --json=yes", "--json takes no value", NULL},
        {"desktop new a --private-home=yes", "--private-home expects true|false, not 'yes'", NULL},
        {"undo --dry_run maybe", "'maybe'", NULL},
        {"desktop list --size 1x1", "--size cannot be used with this form of the command", NULL},
        {"desktop attach a", "--display is missing", NULL},
        {"approve a --scope projet", "call|tool|project", "'project'"},
        {"status now", "status has no 'now'", NULL},
        {"grant new --tols a", "'--tols'", "'--tools'"},
        {"mcp install codx", "claude-code|codex", "'codex'"},
        {"mcp --cost --print", "--print cannot be used with this form", NULL},
        {"audit list -x", "'-x'", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfCommandArguments) words = parse(cases[i].line, &error);
        g_test_message("%s: %s", cases[i].line, error ? error->message : "taken");
        g_assert_null(words);
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_assert_nonnull(strstr(error->message, cases[i].says));
        g_autoptr(json_t) json = hf_error_to_json(error);
        const char *suggestion = hf_json_string(json, "suggestion", "");
        g_assert_nonnull(strstr(suggestion, "handfast help "));
        g_assert_cmpint(strstr(suggestion, "did you mean") != NULL, ==, cases[i].meant != NULL);
        if (cases[i].meant)
            g_assert_nonnull(strstr(suggestion, cases[i].meant));
    }
}

static void test_numbers(void)
{
    g_autoptr(HfCommandArguments) words = parse("audit list --limit 12", NULL);
    g_autoptr(HfCommandArguments) wrong = parse("audit list --limit 12x", NULL);
    gint64 value = 7;
    g_assert_true(hf_command_arguments_int(words, "limit", &value, NULL));
    g_assert_cmpint(value, ==, 12);
    g_assert_true(hf_command_arguments_int(words, "absent", &value, NULL));
    g_assert_cmpint(value, ==, 12);
    g_assert_false(hf_command_arguments_int(wrong, "limit", &value, NULL));
}

/* The table itself: every command can be told apart, takes --json and explains its flags. */
static void test_the_table(void)
{
    for (const HfCommand *command = hf_commands(); command->name; command++) {
        g_test_message("%s", command->name);
        g_assert_null(hf_registry_find(command->name));
        g_assert_true(command->about && *command->about);
        g_autoptr(GPtrArray) forms = hf_usage_new(command->usage);
        for (guint i = 0; i < forms->len; i++) {
            const HfUsageForm *form = forms->pdata[i];
            gboolean json = command->run == NULL || strcmp(command->name, "completion") == 0 ||
                            strcmp(command->name, "mcp") == 0;
            for (guint j = 0; j < form->words->len; j++) {
                const HfUsageWord *word = form->words->pdata[j];
                json |= word->kind == HF_USAGE_FLAG && strcmp(word->name, "json") == 0;
                if (word->kind == HF_USAGE_FLAG)
                    g_assert_cmpstr(hf_cli_flag_about(command->name, word->name), !=, "");
            }
            g_assert_true(json);
        }
    }
}

static void test_closest(void)
{
    static const struct {
        const char *word, *closest;
    } cases[] = {
        {"screenshto", "screenshot"},
        {"Screenshot", "screenshot"},
        {"left-click", "left_click"},
        {"leftclick", "left_click"},
        {"lef_clik", "left_click"},
        {"wait", "wait"},
        {"wiat", "wait"},
        {"banana", NULL},
        {"x", NULL},
        {"", NULL},
    };
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    static const char *const known[] = {"screenshot", "left_click", "wait", "window_list"};
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        g_ptr_array_add(names, (gpointer)known[i]);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpstr(hf_closest_name(cases[i].word, names), ==, cases[i].closest);
    g_autofree char *endless = g_strnfill(100000, 'w');
    g_assert_null(hf_closest_name(endless, names));
}

static void test_spans(void)
{
    static const struct {
        const char *text;
        gint64 seconds; /* 0: none */
    } cases[] = {{"90", 90}, {"30s", 30}, {"5m", 300}, {"2h", 7200}, {"7d", 604800}, {"0", 0},
                 {"-1h", 0}, {"h", 0},    {"", 0},     {"1 h", 0},   {"1hh", 0},     {"1w", 0}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        gint64 seconds = 0;
        g_assert_cmpint(hf_cli_parse_duration(cases[i].text, &seconds), ==, cases[i].seconds > 0);
        g_assert_cmpint(seconds, ==, cases[i].seconds);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/words/what-is-taken", test_what_is_taken);
    g_test_add_func("/words/left-out-or-said-again", test_what_may_be_left_out_or_said_again);
    g_test_add_func("/words/switches", test_switches);
    g_test_add_func("/words/slips", test_slips);
    g_test_add_func("/words/numbers", test_numbers);
    g_test_add_func("/words/the-table", test_the_table);
    g_test_add_func("/words/closest", test_closest);
    g_test_add_func("/words/spans", test_spans);
    return g_test_run();
}
