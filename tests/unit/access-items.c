/* Twin of src/access/items.c. */
#include "access/items.h"

#include "access/roles.h"
#include "access/states.h"

static GVariant *parse(const char *type, const char *text)
{
    g_autoptr(GError) error = NULL;
    GVariant *value = g_variant_parse(G_VARIANT_TYPE(type), text, NULL, NULL, &error);
    g_assert_no_error(error);
    return value;
}

#define COUNTED "(a((so)(so)(so)iiassusau))"
#define LISTED  "(a((so)(so)(so)a(so)assusau))"
#define ITEM(path, parent, index, count, name)                                                     \
    "((':1.2','" path "'),(':1.2','/root'),(':1.2','" parent "')," index "," count                 \
    ",['org.a11y.atspi.Accessible','org.a11y.atspi.Action'],'" name "',43,'',[0x02000000,0x1])"

/* Out of order, with one that does not say its place, and one that is its own parent. */
static void test_counted(void)
{
    g_autoptr(GVariant) answer = parse(
        COUNTED, "([" ITEM("/b", "/top", "1", "0", "second") "," ITEM(
                     "/late", "/top", "-1", "0",
                     "third") "," ITEM("/top", "/root", "0", "-1",
                                       "top") "," ITEM("/a", "/top", "0", "2",
                                                       "first") "," ITEM("/self", "/self", "0", "0",
                                                                         "self") "],)");
    g_autoptr(HfItems) items = hf_items_new(answer);
    g_assert_nonnull(items);
    g_assert_cmpint(hf_items_size(items), ==, 5);
    const HfItem *top = hf_items_get(items, hf_items_find(items, "/top"));
    const HfItem *first = hf_items_get(items, top->first_child);
    const HfItem *second = hf_items_get(items, first->next_sibling);
    const HfItem *third = hf_items_get(items, second->next_sibling);
    g_assert_cmpstr(first->name, ==, "first");
    g_assert_cmpstr(second->name, ==, "second");
    g_assert_cmpstr(third->name, ==, "third");
    g_assert_cmpint(third->next_sibling, ==, HF_NODE_NONE);
    g_assert_cmpint(first->child_count, ==, 2);
    g_assert_cmpint(first->role, ==, HF_ROLE_BUTTON);
    g_assert_cmpint(first->abilities, ==, HF_ABILITY_ACTION);
    g_assert_true(hf_states_have(first->states, HF_STATE_SHOWING));
    g_assert_true(hf_states_have(first->states, HF_STATE_INDETERMINATE));
    g_assert_cmpint(hf_items_find(items, "/nowhere"), ==, HF_NODE_NONE);
    g_assert_cmpint(hf_items_get(items, hf_items_find(items, "/self"))->first_child, ==,
                    HF_NODE_NONE);
}

static void test_listed(void)
{
    g_autoptr(GVariant) answer =
        parse(LISTED,
              "([((':1.2','/top'),(':1.2','/root'),(':1.2','/root'),[(':1.2','/a')],"
              "@as [],'top',23,'',@au []),"
              "((':1.2','/a'),(':1.2','/root'),(':1.2','/top'),@a(so) [],@as [],'a',43,'',[1])],)");
    g_autoptr(HfItems) items = hf_items_new(answer);
    g_assert_nonnull(items);
    const HfItem *top = hf_items_get(items, hf_items_find(items, "/top"));
    g_assert_cmpint(top->child_count, ==, 1);
    g_assert_cmpint(top->states, ==, 0);
    g_assert_cmpstr(hf_items_get(items, top->first_child)->name, ==, "a");
}

static void test_others(void)
{
    static const char *const types[] = {"(s)", "(as)", "(a(so))"};
    static const char *const texts[] = {"('x',)", "(['x'],)", "([('x','/x')],)"};
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        g_autoptr(GVariant) answer = parse(types[i], texts[i]);
        g_assert_null(hf_items_new(answer));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-items/counted", test_counted);
    g_test_add_func("/access-items/listed", test_listed);
    g_test_add_func("/access-items/others", test_others);
    return g_test_run();
}
