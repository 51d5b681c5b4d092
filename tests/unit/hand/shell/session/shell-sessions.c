/* SPDX-License-Identifier: Apache-2.0 */
/* Whose sessions are whose: names, limits, walls that change, and the end of all. Shells and
 * keepers are real; this program becomes the keeper itself. */
#include "hand/shell/session/shell-sessions.h"

#include <string.h>

#include "hand/shell/session/keeper.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"

static json_t *make_walls(const char *caller, gboolean network)
{
    return json_pack("{s:b, s:s, s:{s:b}}", "open", TRUE, "caller", caller, "shell", "network",
                     network);
}

/* NULL: no error. */
static HfShellSession *create(const char *caller, const char *id, int code)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) walls = make_walls(caller, TRUE);
    HfSandboxRequest usual = {0};
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    HfShellSession *session = hf_shell_sessions_create(id, walls, &usual, &deadline, &error);
    g_assert_cmpint(error ? (int)hf_error_code(error) : 0, ==, code);
    g_assert_true((session != NULL) == (code == 0));
    return session;
}

static guint count(const char *caller)
{
    g_autoptr(json_t) walls = make_walls(caller, TRUE);
    g_autoptr(json_t) list = hf_shell_sessions_list(walls);
    return (guint)json_array_size(list);
}

static void kill_all(const char *caller)
{
    g_autoptr(json_t) walls = make_walls(caller, TRUE);
    g_autoptr(json_t) list = hf_shell_sessions_list(walls);
    size_t index;
    json_t *entry;
    json_array_foreach (list, index, entry)
        g_assert_true(hf_shell_sessions_kill(hf_json_string(entry, "session_id", ""), walls, NULL));
    g_assert_cmpuint(count(caller), ==, 0);
}

static void test_names(void)
{
    static const struct {
        const char *caller, *id;
        int code;
    } cases[] = {
        {"one", "a", 0},
        {"one", "a", HF_ERROR_CONFLICT},
        {"two", "a", 0}, /* another's name is no name */
        {"one", "b-2.x_", 0},
        {"one", "", HF_ERROR_INVALID_PARAMS},
        {"one", "a b", HF_ERROR_INVALID_PARAMS},
        {"one", "../a", HF_ERROR_INVALID_PARAMS},
        {"one", "a\nb", HF_ERROR_INVALID_PARAMS},
        {"one", ".a", HF_ERROR_INVALID_PARAMS},
        {"one\ntwo", "a", 0},
        {"on", "e", 0}, /* whose name begins as another's */
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s of %s", cases[i].id, cases[i].caller);
        g_autoptr(HfShellSession) session = create(cases[i].caller, cases[i].id, cases[i].code);
    }
    g_assert_cmpuint(count("one"), ==, 2);
    g_assert_cmpuint(count("two"), ==, 1);
    g_assert_cmpuint(count("on"), ==, 1);
    g_assert_cmpuint(count("nobody"), ==, 0);
    const char *const callers[] = {"one", "two", "on", "one\ntwo"};
    for (gsize i = 0; i < G_N_ELEMENTS(callers); i++)
        kill_all(callers[i]);
}

/* One that none was named for gets a name of its own. */
static void test_chosen_names(void)
{
    g_autoptr(HfShellSession) one = create("me", NULL, 0), other = create("me", NULL, 0);
    g_assert_cmpstr(hf_shell_session_id(one), !=, hf_shell_session_id(other));
    kill_all("me");
}

static void test_whose(void)
{
    g_autoptr(json_t) mine = make_walls("me", TRUE), others = make_walls("other", TRUE);
    g_autoptr(json_t) changed = make_walls("me", FALSE);
    g_autoptr(HfShellSession) made = create("me", "s", 0);
    const struct {
        const json_t *walls;
        const char *id;
        int code;
    } cases[] = {
        {mine, "s", 0},
        {mine, "t", HF_ERROR_SESSION_NOT_FOUND},
        {others, "s", HF_ERROR_SESSION_NOT_FOUND},
        {changed, "s", HF_ERROR_PRECONDITION_FAILED},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfShellSession) found =
            hf_shell_sessions_get(cases[i].id, cases[i].walls, &error);
        g_assert_cmpint(error ? (int)hf_error_code(error) : 0, ==, cases[i].code);
        g_assert_true(found == (cases[i].code ? NULL : made));
    }
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_shell_sessions_kill("s", others, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_SESSION_NOT_FOUND);
    g_assert_true(hf_shell_sessions_kill("s", changed, NULL)); /* ended it can be all the same */
    g_assert_null(hf_shell_sessions_find("s", mine));
}

static void test_ensure(void)
{
    g_autoptr(json_t) walls = make_walls("me", TRUE);
    HfSandboxRequest usual = {0};
    HfDeadline deadline = hf_deadline_in_ms(20000, NULL);
    g_autoptr(HfShellSession) first =
        hf_shell_sessions_ensure(HF_SESSION_DEFAULT, walls, &usual, &deadline, NULL);
    g_autoptr(HfShellSession) again =
        hf_shell_sessions_ensure(HF_SESSION_DEFAULT, walls, &usual, &deadline, NULL);
    g_assert_nonnull(first);
    g_assert_true(first == again);
    g_assert_true(hf_shell_sessions_kill(HF_SESSION_DEFAULT, walls, NULL));
    g_autoptr(HfShellSession) next =
        hf_shell_sessions_ensure(HF_SESSION_DEFAULT, walls, &usual, &deadline, NULL);
    g_assert_true(next && next != first);
    kill_all("me");
}

static void test_limits_and_the_end_of_all(void)
{
    for (guint i = 0; i < HF_LIMIT_CALLER_SHELLS; i++) {
        g_autoptr(HfShellSession) session = create("many", NULL, 0);
    }
    g_assert_null(create("many", NULL, HF_ERROR_LIMIT_EXCEEDED));
    g_autoptr(HfShellSession) other = create("other", NULL, 0); /* it is nobody else's limit */
    g_autoptr(json_t) walls = make_walls("many", TRUE);
    g_autoptr(json_t) list = hf_shell_sessions_list(walls);
    g_assert_true(hf_shell_sessions_kill(hf_json_string(json_array_get(list, 0), "session_id", ""),
                                         walls, NULL));
    g_autoptr(HfShellSession) room = create("many", NULL, 0);
    g_assert_cmpuint(count("many"), ==, HF_LIMIT_CALLER_SHELLS);
    hf_shell_sessions_close();
    g_assert_cmpuint(count("many"), ==, 0);
    g_autoptr(HfShellSession) session = create("many", "a", 0);
    hf_shell_sessions_end_all();
    g_assert_true(hf_shell_session_await_end(session, 20000));
    g_assert_cmpuint(count("many"), ==, 0);
    hf_shell_sessions_close();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return hf_keeper_main(argc - 1, argv + 1);
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shell/sessions/names", test_names);
    g_test_add_func("/shell/sessions/chosen-names", test_chosen_names);
    g_test_add_func("/shell/sessions/whose", test_whose);
    g_test_add_func("/shell/sessions/ensure", test_ensure);
    g_test_add_func("/shell/sessions/limits-and-the-end-of-all", test_limits_and_the_end_of_all);
    return g_test_run();
}
