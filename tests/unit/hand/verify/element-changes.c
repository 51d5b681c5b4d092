/* SPDX-License-Identifier: Apache-2.0 */
/* Which changes of elements prove something, case by case. */
#include "hand/verify/element-changes.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"
#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"

#define SHOWN                                                                                      \
    (HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_SENSITIVE) |      \
     HF_STATE(HF_STATE_ENABLED))
#define WINDOW   7
#define ON(name) HF_STATE(HF_STATE_##name)

/* One element of a window at 0,0, 100 x 20 below each other; path NULL ends the list. */
typedef struct Element {
    const char *path;
    int role;
    const char *name, *value;
    guint64 states;
    gboolean secure;
    guint32 window; /* beyond that of the others */
    HfMissing missing;
} Element;

static HfTree *make_with(const char *toolkit, const Element *elements)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){":1.5", "app", toolkit, "3", 10, 0});
    HfNode window = {.path = "/w",
                     .role = HF_ROLE_FRAME,
                     .name = "Window",
                     .states = SHOWN,
                     .source = HF_SOURCE_ACCESS,
                     .window = WINDOW,
                     .bounds = {0, 0, 400, 400}};
    int root = hf_tree_add(tree, HF_NODE_NONE, &window);
    for (int i = 0; elements[i].path; i++) {
        HfNode node = {.path = elements[i].path,
                       .role = elements[i].role,
                       .name = elements[i].name,
                       .value = elements[i].value,
                       .secure = elements[i].secure,
                       .window = WINDOW + elements[i].window,
                       .missing = elements[i].missing,
                       .states = SHOWN | elements[i].states,
                       .source = HF_SOURCE_ACCESS,
                       .bounds = {0, i * 20, 100, 20}};
        hf_tree_add(tree, root, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

static HfTree *make(const Element *elements)
{
    return make_with("gtk", elements);
}

/* The point is on the first element, 50,10. */
static const struct {
    const char *about;
    Element before[4], now[4];
    gboolean proves, weak, reported; /* weak: it has to stay for long */
} cases[] = {
    {"nothing", {{"/a", HF_ROLE_BUTTON, "A"}}, {{"/a", HF_ROLE_BUTTON, "A"}}, FALSE, FALSE, FALSE},
    {"a dead button has the focus and looks pressed",
     {{"/a", HF_ROLE_BUTTON, "A"}},
     {{"/a", HF_ROLE_BUTTON, "A", NULL, ON(FOCUSED) | ON(PRESSED)}},
     FALSE,
     FALSE,
     FALSE},
    {"a box is checked",
     {{"/a", HF_ROLE_CHECK_BOX, "A"}},
     {{"/a", HF_ROLE_CHECK_BOX, "A", NULL, ON(CHECKED)}},
     TRUE,
     FALSE,
     TRUE},
    {"a toggle is pressed in",
     {{"/a", HF_ROLE_TOGGLE_BUTTON, "A"}},
     {{"/a", HF_ROLE_TOGGLE_BUTTON, "A", NULL, ON(PRESSED)}},
     TRUE,
     FALSE,
     TRUE},
    {"a field has got the keyboard",
     {{"/a", HF_ROLE_TEXT, "A", "", ON(EDITABLE)}},
     {{"/a", HF_ROLE_TEXT, "A", "", ON(EDITABLE) | ON(FOCUSED)}},
     TRUE,
     FALSE,
     TRUE},
    {"another field has got it",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_TEXT, "B", "", ON(EDITABLE)}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_TEXT, "B", "", ON(EDITABLE) | ON(FOCUSED)}},
     FALSE,
     FALSE,
     FALSE},
    {"a label says something else",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "one"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "two"}},
     TRUE,
     TRUE,
     TRUE},
    {"one that does so by itself",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/clock", HF_ROLE_LABEL, "1 s"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/clock", HF_ROLE_LABEL, "2 s"}},
     FALSE,
     FALSE,
     FALSE},
    {"a box elsewhere is checked: by the action, or by itself",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_CHECK_BOX, "B"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_CHECK_BOX, "B", NULL, ON(CHECKED)}},
     TRUE,
     TRUE,
     TRUE},
    {"a button has come",
     {{"/a", HF_ROLE_BUTTON, "A"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_BUTTON, "B"}},
     TRUE,
     TRUE,
     TRUE},
    {"a tooltip has come",
     {{"/a", HF_ROLE_BUTTON, "A"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/t", HF_ROLE_TOOL_TIP, "What A does"}},
     FALSE,
     FALSE,
     FALSE},
    {"what was not known before is not another one",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, NULL, NULL, 0, FALSE, 0, HF_MISSING_NAME}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "two"}},
     FALSE,
     FALSE,
     FALSE},
    {"what is not known any more neither",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "one"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, NULL, NULL, 0, FALSE, 0, HF_MISSING_NAME}},
     FALSE,
     FALSE,
     FALSE},
    {"a label of another window says something else",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "one", NULL, 0, FALSE, 1}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "two", NULL, 0, FALSE, 1}},
     FALSE,
     FALSE,
     FALSE},
    {"a button of another window has come",
     {{"/a", HF_ROLE_BUTTON, "A"}},
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_BUTTON, "B", NULL, 0, FALSE, 1}},
     FALSE,
     FALSE,
     FALSE},
    {"one whose window is not known has gone",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_BUTTON, "B", NULL, 0, FALSE, 0u - WINDOW}},
     {{"/a", HF_ROLE_BUTTON, "A"}},
     FALSE,
     FALSE,
     FALSE},
    {"a menu has closed",
     {{"/a", HF_ROLE_BUTTON, "A"}, {"/m", HF_ROLE_MENU_ITEM, "Dead item"}},
     {{"/a", HF_ROLE_BUTTON, "A"}},
     FALSE,
     FALSE,
     FALSE},
};

static void test_compare(void)
{
    const Element early[] = {{"/clock", HF_ROLE_LABEL, "0 s"}, {0}};
    const Element late[] = {{"/clock", HF_ROLE_LABEL, "1 s"}, {0}};
    g_autoptr(HfTree) first = make(early), second = make(late);
    g_autoptr(GHashTable) self_changing = hf_elements_self_changing_new();
    hf_elements_note_self_changing(self_changing, first, second);
    HfPoint point = {50, 10};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_autoptr(HfTree) before = make(cases[i].before), now = make(cases[i].now);
        HfElementsContext context = {.point = &point, .window = WINDOW};
        g_auto(HfElementsChange) change = {0};
        hf_elements_compare(before, now, &context, self_changing, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, cases[i].proves);
        g_assert_cmpint(change.proof.stay, ==, cases[i].weak ? HF_STAY_LONG : HF_STAY_NONE);
        g_assert_cmpint(change.elements != NULL, ==, cases[i].reported);
        if (!change.elements)
            continue;
        g_autoptr(json_t) effect = hf_effect_new(HF_VERDICT_CONFIRMED, change.proof.text);
        json_object_set(effect, "elements", change.elements);
        g_assert_true(hf_check_result(hf_effect_fields, effect, NULL));
    }
}

/* One that changed after an action, and then again. */
static void test_again(void)
{
    const Element texts[3][2] = {{{"/b", HF_ROLE_LABEL, "1"}, {0}},
                                 {{"/b", HF_ROLE_LABEL, "2"}, {0}},
                                 {{"/b", HF_ROLE_LABEL, "3"}, {0}}};
    g_autoptr(HfTree) before = make(texts[0]), meanwhile = make(texts[1]), now = make(texts[2]);
    g_autoptr(GHashTable) self_changing = hf_elements_self_changing_new();
    HfElementsContext context = {.window = WINDOW};
    hf_elements_note_again(self_changing, before, meanwhile, meanwhile);
    g_auto(HfElementsChange) once = {0}, again = {0};
    hf_elements_compare(before, meanwhile, &context, self_changing, &once);
    g_assert_nonnull(once.proof.text);
    hf_elements_note_again(self_changing, before, meanwhile, now);
    hf_elements_compare(before, now, &context, self_changing, &again);
    g_assert_null(again.proof.text);
}

/* Where something was drawn before the action, what is different says nothing: unless it is what
 * was acted on, and set. */
static void test_since(void)
{
    const Element before[] = {{"/a", HF_ROLE_CHECK_BOX, "A"}, {"/b", HF_ROLE_LABEL, "1"}, {0}};
    const Element changed[] = {{"/a", HF_ROLE_CHECK_BOX, "A"}, {"/b", HF_ROLE_LABEL, "2"}, {0}};
    const Element set[] = {
        {"/a", HF_ROLE_CHECK_BOX, "A", NULL, ON(CHECKED)}, {"/b", HF_ROLE_LABEL, "1"}, {0}};
    const Element come[] = {{"/a", HF_ROLE_CHECK_BOX, "A"},
                            {"/b", HF_ROLE_LABEL, "1"},
                            {"/c", HF_ROLE_LABEL, "3"},
                            {0}};
    const struct {
        const Element *now;
        HfRect drawn;
        gboolean proves;
    } table[] = {
        {changed, {0, 0, 100, 20}, TRUE}, {changed, {90, 30, 5, 5}, FALSE},
        {set, {0, 0, 100, 20}, TRUE},     {come, {0, 40, 100, 20}, FALSE},
        {come, {200, 200, 10, 10}, TRUE},
    };
    g_autoptr(GHashTable) self_changing = hf_elements_self_changing_new();
    HfPoint point = {50, 10};
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        g_test_message("%zu", i);
        g_autoptr(GArray) since = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_array_append_val(since, table[i].drawn);
        HfElementsContext context = {.point = &point, .window = WINDOW, .since = since};
        g_autoptr(HfTree) was = make(before), now = make(table[i].now);
        g_auto(HfElementsChange) change = {0};
        hf_elements_compare(was, now, &context, self_changing, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, table[i].proves);
    }
}

/* What was still for long before needs to stay for a moment; all else, and what was drawn
 * meanwhile, for long; and what draws itself again and again, or tells the time, proves nothing. */
static void test_stay(void)
{
    g_autoptr(GDateTime) time = g_date_time_new_now_local();
    g_autofree char *clock = g_date_time_format(time, "it is %H:%M");
    const Element before[] = {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "1"}, {0}};
    const Element other[] = {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, "2"}, {0}};
    const Element later[] = {{"/a", HF_ROLE_BUTTON, "A"}, {"/b", HF_ROLE_LABEL, clock}, {0}};
    const struct {
        const char *about;
        const Element *now;
        gboolean watched;
        HfRect lately;
        int idle; /* how often the label was drawn while nobody acted */
        gboolean proves;
        HfStay stay;
    } table[] = {
        {"nobody has watched", other, FALSE, {0}, 0, TRUE, HF_STAY_LONG},
        {"watched", other, TRUE, {0}, 0, TRUE, HF_STAY_SHORT},
        {"watched, and drawn elsewhere", other, TRUE, {0, 0, 100, 20}, 0, TRUE, HF_STAY_SHORT},
        {"watched, and drawn there", other, TRUE, {90, 25, 5, 5}, 0, TRUE, HF_STAY_LONG},
        {"drawn there once by itself", other, TRUE, {0}, 1, TRUE, HF_STAY_SHORT},
        {"drawn there again and again", other, TRUE, {0}, 2, FALSE, HF_STAY_NONE},
        {"a clock", later, TRUE, {0}, 0, FALSE, HF_STAY_NONE},
    };
    HfPoint point = {50, 10};
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        g_test_message("%s", table[i].about);
        g_autoptr(GHashTable) elements = hf_elements_self_changing_new();
        g_autoptr(HfIdleDrawing) places = hf_idle_drawing_new();
        g_autoptr(GArray) lately = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_autoptr(GArray) label = g_array_new(FALSE, FALSE, sizeof(HfRect));
        HfRect drawn = {0, 22, 80, 16};
        g_array_append_val(label, drawn);
        g_autoptr(GPtrArray) windows = g_ptr_array_new();
        for (int times = 0; times < table[i].idle; times++)
            hf_idle_drawing_note(places, label, windows, g_get_monotonic_time());
        if (!hf_rect_is_empty(table[i].lately))
            g_array_append_val(lately, table[i].lately);
        HfElementsContext context = {.point = &point,
                                     .window = WINDOW,
                                     .watched = table[i].watched,
                                     .lately = lately,
                                     .idle = places};
        g_autoptr(HfTree) was = make(before), now = make(table[i].now);
        g_auto(HfElementsChange) change = {0};
        hf_elements_compare(was, now, &context, elements, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, table[i].proves);
        g_assert_cmpint(change.proof.stay, ==, table[i].stay);
    }
}

static const struct {
    const char *before, *now, *text;
    guint64 states;
    gboolean secure;
    HfTextSeen seen;
} texts[] = {
    {"", "hello", "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_ARRIVED},
    {"hello", "hellohello", "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_ARRIVED},
    {"hello", "hello", "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_MISSING},
    {"", "", "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_MISSING},
    {"", "helo", "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_MISSING},
    {"", "hello", "hello", ON(EDITABLE), FALSE, HF_TEXT_UNSEEN},
    {"", "hello", "hello", ON(FOCUSED), FALSE, HF_TEXT_UNSEEN},
    {"", "hello", "hello\n", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_UNKNOWN}, /* sent off */
    {"", "b", "a\nb", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_UNSEEN},
    {"", "a\nb", "a\nb", ON(EDITABLE) | ON(FOCUSED) | ON(MULTI_LINE), FALSE, HF_TEXT_ARRIVED},
    {"", "a\n  b", "a\nb", ON(EDITABLE) | ON(FOCUSED) | ON(MULTI_LINE), FALSE, HF_TEXT_UNSEEN},
    {"", "", "hi\n", ON(EDITABLE) | ON(FOCUSED) | ON(MULTI_LINE), FALSE, HF_TEXT_UNKNOWN},
    {NULL, NULL, "hello", ON(EDITABLE) | ON(FOCUSED), FALSE, HF_TEXT_UNSEEN},
    {NULL, NULL, "hello", ON(EDITABLE) | ON(FOCUSED), TRUE, HF_TEXT_PASSWORD},
};

static void test_text(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_test_message("%zu", i);
        Element before[] = {{"/f", HF_ROLE_TEXT, "F", texts[i].before, texts[i].states}, {0}};
        Element now[] = {{"/f", HF_ROLE_TEXT, "F", texts[i].now, texts[i].states, texts[i].secure},
                         {0}};
        g_autoptr(HfTree) old = make(before), new = make(now);
        g_assert_cmpint(hf_elements_find_text(old, new, texts[i].text), ==, texts[i].seen);
    }
}

/* Qt says of the tab of a page that it has the focus, too. */
static void test_two_focused(void)
{
    guint64 field = ON(EDITABLE) | ON(FOCUSED);
    Element before[] = {{"/f", HF_ROLE_TEXT, "F", "", field},
                        {"/t", HF_ROLE_PAGE_TAB, "T", NULL, ON(FOCUSED)},
                        {0}};
    Element now[] = {{"/f", HF_ROLE_TEXT, "F", "hello", field},
                     {"/t", HF_ROLE_PAGE_TAB, "*T", NULL, ON(FOCUSED)},
                     {0}};
    g_autoptr(HfTree) old = make(before), new = make(now);
    g_assert_cmpint(hf_elements_find_text(old, new, "hello"), ==, HF_TEXT_ARRIVED);
    g_assert_cmpint(hf_tree_find_focused(new), ==, hf_tree_find(new, ":1.5", "/f"));
}

/* GTK 4 calls its toggles buttons, and only them pressed. */
static void test_toggles_by_toolkit(void)
{
    static const struct {
        const char *toolkit;
        gboolean proves;
    } table[] = {{"GTK", TRUE}, {"gtk", FALSE}, {"Qt", FALSE}, {"", FALSE}};
    const Element out[] = {{"/a", HF_ROLE_BUTTON, "A"}, {0}};
    const Element in[] = {{"/a", HF_ROLE_BUTTON, "A", NULL, ON(PRESSED)}, {0}};
    HfPoint point = {50, 10};
    for (gsize i = 0; i < 2 * G_N_ELEMENTS(table); i++) {
        const char *toolkit = table[i / 2].toolkit;
        g_test_message("%s", toolkit);
        g_autoptr(GHashTable) self_changing = hf_elements_self_changing_new();
        g_autoptr(HfTree) before = make_with(toolkit, i % 2 ? in : out);
        g_autoptr(HfTree) after = make_with(toolkit, i % 2 ? out : in);
        HfElementsContext context = {.point = &point, .window = WINDOW};
        g_auto(HfElementsChange) change = {0};
        hf_elements_compare(before, after, &context, self_changing, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, table[i / 2].proves);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/effect-elements/toggles-by-toolkit", test_toggles_by_toolkit);
    g_test_add_func("/effect-elements/two-focused", test_two_focused);
    g_test_add_func("/effect-elements/compare", test_compare);
    g_test_add_func("/effect-elements/again", test_again);
    g_test_add_func("/effect-elements/since", test_since);
    g_test_add_func("/effect-elements/stay", test_stay);
    g_test_add_func("/effect-elements/text", test_text);
    return g_test_run();
}
