/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/selector/selector.c, selector-lexer.c and
 * selector-parse.c. */
#include "hand/atspi/selector/selector.h"

#include <string.h>
#include <time.h>

#include "hand/atspi/atspi-limits.h"
#include "shared/base/error.h"

/* The short form, and how it is written when it was understood. */
static void test_text(void)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"button \"Save\"", "button \"Save\""},
        {"Button 'Save'", "button \"Save\""},
        {"push button \"Save\"", "push-button \"Save\""},
        {"menu item \"Open...\" in window \"Files\"",
         "menu-item \"Open...\" in (window \"Files\")"},
        {"field near \"User name\"", "field near (\"User name\")"},
        {"text~/Total: \\d+/", "text~/Total: \\d+/"},
        {"text ~/total/i", "text~/(?i)total/"},
        {"~/a\\/b/", "~/a\\/b/"},
        {"button \"Delete\" nth 2", "button \"Delete\" nth 2"},
        {"button=\"Save\"", "button =\"Save\""},
        {"button name=\"Save\"", "button =\"Save\""},
        {"button *=\"Save\"", "button *=\"Save\""},
        {"field right of label \"Name\" within 80 px", "field right of (label \"Name\") within 80"},
        {"button below \"Options\" enabled", "button below (\"Options\") enabled"},
        {"check-box \"A\" not checked disabled", "check-box \"A\" not enabled not checked"},
        {"button \"Del\" in (row \"Bob\" in table \"People\") nth 2",
         "button \"Del\" in (row \"Bob\" in (table \"People\")) nth 2"},
        {"path \"File > Open\"", "path \"File > Open\""},
        {"button rect 0,0,100,200", "button rect 0,0,100,200"},
        {"field value \"x\" id \"y\"", "field value\"x\" identifier\"y\""},
        {"role text name \"X\"", "role text name\"X\""},
        {"text \"X\"", "text\"X\""},
        {"e12", "e12"},
        {"s7/e12", "s7/e12"},
        {"button near e3", "button near (e3)"},
        {"button", "button"},
        {"Save", "text\"Save\""},
        {"  Save as  ", "text\"Save as\""},
        {"Don't save", "text\"Don't save\""},
        {"保存", "text\"保存\""},
        {"按钮 “保存”", "按钮 \"保存\""},
        {"按钮「保存」", "按钮 \"保存\""},
        {"输入框 靠近 \"用户名\"", "输入框 near (\"用户名\")"},
        {"按钮 \"删除\" 第 2", "按钮 \"删除\" nth 2"},
        {"菜单项 \"打开\" 在 窗口 \"文件\"", "菜单项 \"打开\" in (窗口 \"文件\")"},
        {"复选框 \"同意\" 未勾选", "复选框 \"同意\" not checked"},
        {"button \"say \\\"hi\\\"\"", "button \"say \\\"hi\\\"\""},
        {"e0", "text\"e0\""},
        {"e99999999999999999999", "text\"e99999999999999999999\""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfSelector) selector = hf_selector_from_text(cases[i].text, &error);
        g_assert_no_error(error);
        g_autofree char *written = hf_selector_to_text(selector);
        g_assert_cmpstr(written, ==, cases[i].written);
        g_autoptr(HfSelector) again = hf_selector_from_text(written, &error);
        g_assert_no_error(error);
        g_autofree char *same = hf_selector_to_text(again);
        g_assert_cmpstr(same, ==, written);
    }
}

static void test_wrong_text(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"buton \"Save\"", "'buton' is not a role"},
        {"button \"Save", "not closed"},
        {"button \"\"", "not empty"},
        {"", "not empty"},
        {"   ", "not empty"},
        {"button \"Save\" nth", "expected a number"},
        {"button \"Save\" nth 0", "from 1 to"},
        {"button \"Save\" bogus", "character 15"},
        {"button \"Save\" near", "an element, like"},
        {"button \"Save\" near (\"a\"", "closing bracket"},
        {"button \"Save\")", "expected the end"},
        {"button \"Save\" within 10", "add near"},
        {"button ~Save", "between slashes"},
        {"button ~/Save", "not closed by a slash"},
        {"button ~/(/", "not a regular expression"},
        {"\"a\" near \"b\" near \"c\"", "only one near"},
        {"\"a\" in (\"b\" in (\"c\" in (\"d\" in \"e\")))", "at most 4 deep"},
        {"\"a\xff\"", "UTF-8"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(hf_selector_from_text(cases[i].text, &error));
        g_assert_nonnull(error);
        if (!strstr(error->message, cases[i].says))
            g_error("'%s' says: %s", cases[i].text, error->message);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *lengthy = g_strnfill(HF_LIMIT_SELECTOR_BYTES + 1, 'a');
    g_assert_null(hf_selector_from_text(lengthy, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

static void test_object(void)
{
    static const struct {
        const char *json, *written;
    } cases[] = {
        {"\"button 'Save'\"", "button \"Save\""},
        {"{\"role\": \"button\", \"name\": \"Save\"}", "button \"Save\""},
        {"{\"name\": {\"equals\": \"Save\"}}", "=\"Save\""},
        {"{\"name\": {\"contains\": \"Save\"}, \"nth\": 2}", "*=\"Save\" nth 2"},
        {"{\"value\": {\"regex\": \"a/b\"}}", "value~/a\\/b/"},
        {"{\"near\": {\"selector\": \"label 'x'\", \"direction\": \"left\", \"distance\": 50}}",
         "left of (label \"x\") within 50"},
        {"{\"role\": \"field\", \"near\": {\"name\": \"User\"}}", "field near (\"User\")"},
        {"{\"in\": {\"role\": \"window\"}, \"enabled\": true, \"visible\": false}",
         "in (window) enabled not visible"},
        {"{\"rect\": {\"x\": 1, \"y\": 2, \"width\": 3, \"height\": 4}}", "rect 1,2,3,4"},
        {"{\"path\": [\"File\", \"Open\"]}", "path \"File > Open\""},
        {"{\"states\": {\"checked\": true, \"focused\": false}}", "checked not focused"},
        {"{\"ref\": \"e5\"}", "e5"},
        {"{\"text\": \"Total\"}", "text\"Total\""},
        {"{\"identifier\": \"ok\", \"description\": \"d\"}", "identifier\"ok\" description\"d\""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) json = json_loads(cases[i].json, JSON_DECODE_ANY, NULL);
        g_autoptr(HfSelector) selector = hf_selector_from_json(json, &error);
        g_assert_no_error(error);
        g_autofree char *written = hf_selector_to_text(selector);
        g_assert_cmpstr(written, ==, cases[i].written);
    }
}

static void test_wrong_object(void)
{
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{}", "selector is empty"},
        {"5", "selector: expected"},
        {"{\"nth\": 2}", "selector is empty"},
        {"{\"naem\": \"x\"}", "'naem' is not a member"},
        {"{\"role\": \"thing\"}", "'thing' is not a role"},
        {"{\"name\": 5}", "name: expected"},
        {"{\"name\": {\"equals\": \"a\", \"regex\": \"b\"}}", "one of equals"},
        {"{\"name\": \"a\", \"nth\": 0}", "nth: expected"},
        {"{\"name\": \"a\", \"nth\": 1.5}", "nth: expected"},
        {"{\"near\": {\"selector\": \"'x'\", \"direction\": \"up\"}}", "near.direction"},
        {"{\"near\": {\"selector\": \"'x'\", \"far\": 1}}", "only selector"},
        {"{\"rect\": {\"x\": 1}}", "rect: expected"},
        {"{\"rect\": {\"x\": 1, \"y\": 1, \"width\": 0, \"height\": 5}}", "an area"},
        {"{\"states\": {\"shiny\": true}}", "'shiny' is not a state"},
        {"{\"ref\": \"e5\", \"name\": \"x\"}", "cannot be combined"},
        {"{\"ref\": \"x\"}", "like e12"},
        {"{\"path\": []}", "path: expected"},
        {"{\"in\": {\"in\": {\"in\": {\"in\": {\"name\": \"x\"}}}}}", "at most 4"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) json = json_loads(cases[i].json, JSON_DECODE_ANY, NULL);
        g_assert_null(hf_selector_from_json(json, &error));
        g_assert_nonnull(error);
        if (!strstr(error->message, cases[i].says))
            g_error("%s says: %s", cases[i].json, error->message);
    }
}

/* What callers of older languages of ours call "aa...!" against (a+)+$: it must end soon. */
static void test_hostile_regex(void)
{
    static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "(.*a){20}$",
                                           "^(([a-z])+.)+[A-Z]"};
    g_autofree char *text = g_strnfill(5000, 'a');
    g_autofree char *hostile = g_strconcat(text, "!", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        g_autoptr(GError) error = NULL;
        HfTextCondition test = {0};
        g_assert_true(hf_text_condition_init(&test, HF_TEXT_REGEX, patterns[i], "name", &error));
        clock_t begin = clock(); /* of the processor: a busy machine takes nothing from it */
        g_assert_cmpint(hf_text_condition_fit(&test, hostile, &error), ==, HF_FIT_NONE);
        g_assert_cmpint(clock() - begin, <, CLOCKS_PER_SEC / 5);
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        hf_text_condition_clear(&test);
    }
}

static void test_needs_values(void)
{
    static const struct {
        const char *text;
        gboolean needs;
    } cases[] = {{"button \"Save\"", FALSE},
                 {"Save", TRUE},
                 {"field value \"x\"", TRUE},
                 {"button near text~/x/", TRUE},
                 {"button in (row value \"x\")", TRUE}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfSelector) selector = hf_selector_from_text(cases[i].text, NULL);
        g_assert_cmpint(hf_selector_needs_values(selector), ==, cases[i].needs);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/selector/text", test_text);
    g_test_add_func("/selector/wrong-text", test_wrong_text);
    g_test_add_func("/selector/object", test_object);
    g_test_add_func("/selector/wrong-object", test_wrong_object);
    g_test_add_func("/selector/hostile-regex", test_hostile_regex);
    g_test_add_func("/selector/needs-values", test_needs_values);
    return g_test_run();
}
