/* SPDX-License-Identifier: Apache-2.0 */
/* Exec lines of .desktop files, as the specification has them and as real files are. */
#include "hand/apps/exec-line.h"

#include "shared/base/error.h"

static const struct {
    const char *line;
    const char *given[4];
    const char *expected[9]; /* empty: refused */
} cases[] = {
    {"xterm", {NULL}, {"xterm"}},
    {"  xterm   -e\tvim ", {NULL}, {"xterm", "-e", "vim"}},
    {"mousepad %F", {NULL}, {"mousepad"}},
    {"mousepad %F", {"a b.txt", "c"}, {"mousepad", "a b.txt", "c"}},
    {"mousepad %U --end", {"a", "b"}, {"mousepad", "a", "b", "--end"}},
    {"viewer %f", {"a", "b"}, {"viewer", "a", "b"}},
    {"viewer --file=%f", {"a", "b"}, {"viewer", "--file=a", "b"}},
    {"viewer --file=%f", {NULL}, {"viewer", "--file="}},
    {"plain", {"--new", "x"}, {"plain", "--new", "x"}},
    {"app %i --title %c --from %k",
     {NULL},
     {"app", "--icon", "the-icon", "--title", "The Name", "--from", "/the/file.desktop"}},
    {"app %d%D%n%N%v%m x", {NULL}, {"app", "x"}},
    {"app 100%% sure", {NULL}, {"app", "100%", "sure"}},
    {"app %", {NULL}, {"app"}},
    {"app %z", {NULL}, {"app"}},
    {"app \"two words\"", {NULL}, {"app", "two words"}},
    {"app \"a \\\"quote\\\" \\$HOME \\\\ \\`x\\`\"", {NULL}, {"app", "a \"quote\" $HOME \\ `x`"}},
    {"app \"\"", {NULL}, {"app", ""}},
    {"app \"%f\"", {"x"}, {"app", "%f", "x"}},
    {"sh -c 'echo \"hi\" %f'", {NULL}, {"sh", "-c", "echo \"hi\" %f"}},
    {"\"/opt/My App/run\" go", {NULL}, {"/opt/My App/run", "go"}},
    {"app a\\ b", {NULL}, {"app", "a b"}},
    {"app $(rm -rf /) ; x | y", {NULL}, {"app", "$(rm", "-rf", "/)", ";", "x", "|", "y"}},
    {"中文 %U", {"文件"}, {"中文", "文件"}},
    {"", {NULL}, {NULL}},
    {"   ", {NULL}, {NULL}},
    {"%f", {NULL}, {NULL}},
    {"app \"open", {NULL}, {NULL}},
    {"app 'open", {NULL}, {NULL}},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].line);
        HfExecFields fields = {cases[i].given, "the-icon", "The Name", "/the/file.desktop"};
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) arguments = hf_exec_parse(cases[i].line, &fields, &error);
        if (!cases[i].expected[0]) {
            g_assert_null(arguments);
            g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
            continue;
        }
        g_assert_no_error(error);
        g_assert_true(g_strv_equal((const char *const *)arguments, cases[i].expected));
    }
}

static void test_no_fields(void)
{
    HfExecFields none = {0};
    g_auto(GStrv) arguments = hf_exec_parse("app %i %c %k %U x", &none, NULL);
    g_assert_true(
        g_strv_equal((const char *const *)arguments, (const char *const[]){"app", "x", NULL}));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/exec-line/cases", test_cases);
    g_test_add_func("/exec-line/no-fields", test_no_fields);
    return g_test_run();
}
