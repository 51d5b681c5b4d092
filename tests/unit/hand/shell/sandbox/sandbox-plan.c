/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of walls: lists side by side, denied places within allowed ones, wishes. Paths are
 * below a folder of the test's own, which "@" stands for. */
#include "hand/shell/sandbox/sandbox-plan.h"

#include <string.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

static char *folder;

static char *dup_full(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", -1);
    return g_strjoinv(folder, parts);
}

/* From text with '@' for the folder and single quotes. */
static json_t *read_json(const char *text)
{
    g_autofree char *full = dup_full(text);
    json_error_t problem;
    json_t *json = json_loads(g_strdelimit(full, "'", '"'), JSON_DECODE_ANY, &problem);
    if (!json)
        g_error("%s: %s", problem.text, full);
    return json;
}

static json_t *make_plan(const char *directories, const char *denied, const HfSandboxRequest *wish,
                         GError **error)
{
    g_autofree char *text = g_strdup_printf(
        "{'directories': %s, 'denied': %s, 'domains': {'allowed': []}, 'open': false, 'caller': "
        "'c', 'shell': {'network': true, 'hidden': ['@/own']}}",
        directories, denied);
    g_autoptr(json_t) walls = read_json(text);
    return hf_sandbox_plan_new(walls, wish, error);
}

static const struct {
    const char *directories, *denied;
    const char *writable, *covered, *unenforced;
} cases[] = {
    {"[['@/a']]", "[]", "['@/a']", "[]", "[]"},
    {"[['@/a', '@/b']]", "[]", "['@/a', '@/b']", "[]", "[]"},
    {"[['@/missing', '@/b']]", "[]", "['@/b']", "[]", "[]"},
    {"[['@/a', '@/a/in']]", "[]", "['@/a']", "[]", "[]"},
    /* Of two lists the inner ones hold, whichever list they are in. */
    {"[['@/a'], ['@/a/in']]", "[]", "['@/a/in']", "[]", "[]"},
    {"[['@/a/in'], ['@/a']]", "[]", "['@/a/in']", "[]", "[]"},
    {"[['@/a', '@/b'], ['@/b', '@/a/in']]", "[]", "['@/a/in', '@/b']", "[]", "[]"},
    {"[['@/a'], ['@/b']]", "[]", "[]", "[]", "[]"},
    {"[['@/a'], ['@/a'], ['@/b']]", "[]", "[]", "[]", "[]"},
    {"[['@/a'], []]", "[]", "[]", "[]", "[]"},
    {"[['@/a'], ['@/ab']]", "[]", "[]", "[]", "[]"},
    {"[['@/link']]", "[]", "['@/b']", "[]", "[]"},
    {"[['@/a/../b']]", "[]", "['@/b']", "[]", "[]"},
    /* Denied. */
    {"[['@/a']]", "['@/a/in/**']", "['@/a']", "['@/a/in']", "[]"},
    {"[['@/a']]", "['@/a/in/*']", "['@/a']", "['@/a/in']", "[]"},
    {"[['@/a']]", "['@/a/file']", "['@/a']", "['@/a/file']", "[]"},
    {"[['@/a']]", "['@/b/**']", "['@/a']", "[]", "[]"},
    {"[['@/a/in', '@/b']]", "['@/a/**']", "['@/b']", "[]", "[]"},
    {"[['@/a']]", "['@/a/**']", "[]", "[]", "[]"},
    {"[['@/a']]", "['@/a/later/**']", "['@/a']", "['@/a/later']", "[]"},
    {"[['@/a']]", "['@/a/later.txt']", "['@/a']", "[]", "['@/a/later.txt']"},
    {"[['@/a']]", "['**/x/**', '@/a/*.pem']", "['@/a']", "[]", "['**/x/**', '@/a/*.pem']"},
    {"[['@']]", "['@/link/**']", "['@']", "['@/b', '@/own']", "[]"},
    /* What is the desk's own. */
    {"[['@/own/deep']]", "[]", "[]", "[]", "[]"},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfSandboxRequest wish = {0};
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) plan = make_plan(cases[i].directories, cases[i].denied, &wish, &error);
        g_assert_no_error(error);
        const char *const members[] = {"writable", "covered", "unenforced"};
        const char *const expected[] = {cases[i].writable, cases[i].covered, cases[i].unenforced};
        for (gsize j = 0; j < G_N_ELEMENTS(members); j++) {
            g_autoptr(json_t) wanted = read_json(expected[j]);
            g_autofree char *given = hf_json_dump(json_object_get(plan, members[j]));
            g_autofree char *should = hf_json_dump(wanted);
            if (strcmp(given, should) != 0)
                g_test_message("case %zu, %s", i, members[j]);
            g_assert_cmpstr(given, ==, should);
        }
    }
}

static void test_wishes(void)
{
    const struct {
        HfSandboxRequest wish;
        HfErrorCode code;
    } wishes[] = {
        {{.display = TRUE}, HF_ERROR_FORBIDDEN},
        {{.directory = "/"}, HF_ERROR_FORBIDDEN},
        {{.directory = "/no/such/place"}, HF_ERROR_PRECONDITION_FAILED},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(wishes); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(make_plan("[['@/a']]", "[]", &wishes[i].wish, &error));
        g_assert_cmpint((int)hf_error_code(error), ==, (int)wishes[i].code);
    }
    g_autofree char *inner = dup_full("@/a/in");
    HfSandboxRequest there = {
        .directory = inner, .network = HF_THREE_STATE_NO, .terminal = TRUE, .rows = 9};
    g_autoptr(json_t) plan = make_plan("[['@/a']]", "[]", &there, NULL);
    g_assert_cmpstr(hf_json_string(plan, "directory", ""), ==, inner);
    g_assert_false(hf_json_bool(plan, "network", TRUE));
    g_assert_true(hf_json_bool(plan, "terminal", FALSE));
    g_assert_cmpint(hf_json_int(plan, "rows", 0), ==, 9);
}

/* Only the environment that is needed goes in. */
static void test_environment(void)
{
    HfSandboxRequest wish = {0};
    g_setenv("DISPLAY", ":77", TRUE);
    g_setenv("SECRET_TOKEN", "abc", TRUE);
    g_autoptr(json_t) plan = make_plan("[['@/a']]", "[]", &wish, NULL);
    g_autofree char *text = hf_json_dump(json_object_get(plan, "environment"));
    g_assert_null(strstr(text, "DISPLAY"));
    g_assert_null(strstr(text, "SECRET_TOKEN"));
    g_assert_nonnull(strstr(text, "PATH="));
    g_assert_nonnull(strstr(text, "TMPDIR=/tmp"));
}

static void test_open(void)
{
    g_autoptr(json_t) walls = json_pack("{s:b, s:{s:b}}", "open", TRUE, "shell", "network", FALSE);
    HfSandboxRequest usual = {0}, alone = {.network = HF_THREE_STATE_NO};
    g_autoptr(json_t) plan = hf_sandbox_plan_new(walls, &usual, NULL);
    g_autoptr(json_t) closed = hf_sandbox_plan_new(walls, &alone, NULL);
    g_assert_true(hf_json_bool(plan, "open", FALSE) && hf_json_bool(plan, "network", FALSE));
    g_assert_false(hf_json_bool(closed, "open", TRUE));
    g_assert_false(hf_json_bool(closed, "network", TRUE));
}

static void test_prepare(void)
{
    HfSandboxRequest wish = {0};
    g_autofree char *later = dup_full("@/a/later");
    g_autoptr(json_t) plan = make_plan("[['@/a']]", "['@/a/later/**']", &wish, NULL);
    g_assert_false(g_file_test(later, G_FILE_TEST_EXISTS));
    g_assert_true(hf_sandbox_plan_prepare(plan, NULL));
    g_assert_true(g_file_test(later, G_FILE_TEST_IS_DIR));
    g_assert_false(hf_sandbox_plan_shows(plan, later));
    rmdir(later);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("hf-plan-XXXXXX", NULL);
    const char *const made[] = {"@/a/in", "@/ab", "@/b", "@/own/deep"};
    for (gsize i = 0; i < G_N_ELEMENTS(made); i++) {
        g_autofree char *path = dup_full(made[i]);
        g_mkdir_with_parents(path, 0700);
    }
    g_autofree char *file = dup_full("@/a/file"), *link = dup_full("@/link");
    g_autofree char *target = dup_full("@/b");
    g_file_set_contents(file, "", 0, NULL);
    if (symlink(target, link) != 0)
        return 1;
    g_test_add_func("/shell/plan/cases", test_cases);
    g_test_add_func("/shell/plan/wishes", test_wishes);
    g_test_add_func("/shell/plan/environment", test_environment);
    g_test_add_func("/shell/plan/open", test_open);
    g_test_add_func("/shell/plan/prepare", test_prepare);
    int status = g_test_run();
    hf_remove_tree(folder);
    g_free(folder);
    return status;
}
