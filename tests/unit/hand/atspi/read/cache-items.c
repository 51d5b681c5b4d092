/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/read/cache-items.c. */
#include "hand/atspi/read/cache-items.h"

#include <string.h>

#include "hand/atspi/bus/dbus-message.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

static GVariant *parse(const char *type, const char *text)
{
    g_autoptr(GError) error = NULL;
    GVariant *value = g_variant_parse(G_VARIANT_TYPE(type), text, NULL, NULL, &error);
    g_assert_no_error(error);
    return value;
}

/* As a program sends it. */
static GVariant *send(GVariant *answer)
{
    g_autofree char *signature = g_strndup(g_variant_get_type_string(answer) + 1,
                                           strlen(g_variant_get_type_string(answer)) - 2);
    g_autoptr(GByteArray) message =
        hf_dbus_message_write(&(HfDbusCall){NULL, "/p", "x.I", "M"}, g_variant_ref(answer));
    message->data[1] = 2; /* a return */
    HfDbusReply read;
    g_assert_true(hf_dbus_message_read(message->data, message->len, &read));
    g_assert_cmpstr(read.signature, ==, signature);
    return hf_dbus_reply_dup_bytes(&read);
}

static HfCacheItems *items_of(const char *type, const char *text)
{
    g_autoptr(GVariant) answer = parse(type, text), sent = send(answer);
    return hf_cache_items_new(sent);
}

#define COUNTED "(a((so)(so)(so)iiassusau))"
#define LISTED  "(a((so)(so)(so)a(so)assusau))"
#define ITEM(path, parent, index, count, name)                                                     \
    "((':1.2','" path "'),(':1.2','/root'),(':1.2','" parent "')," index "," count                 \
    ",['org.a11y.atspi.Accessible','org.a11y.atspi.Action'],'" name "',43,'',[0x02000000,0x1])"

/* Out of order, with one that does not say its place, and one that is its own parent. */
static void test_counted(void)
{
    g_autoptr(HfCacheItems) items = items_of(
        COUNTED, "([" ITEM("/b", "/top", "1", "0", "second") "," ITEM(
                     "/late", "/top", "-1", "0",
                     "third") "," ITEM("/top", "/root", "0", "-1",
                                       "top") "," ITEM("/a", "/top", "0", "2",
                                                       "first") "," ITEM("/self", "/self", "0", "0",
                                                                         "self") "],)");
    g_assert_nonnull(items);
    g_assert_cmpint(hf_cache_items_size(items), ==, 5);
    const HfCacheItem *top = hf_cache_items_get(items, hf_cache_items_find(items, "/top"));
    const HfCacheItem *first = hf_cache_items_get(items, top->first_child);
    const HfCacheItem *second = hf_cache_items_get(items, first->next_sibling);
    const HfCacheItem *third = hf_cache_items_get(items, second->next_sibling);
    g_assert_cmpstr(first->name, ==, "first");
    g_assert_cmpstr(second->name, ==, "second");
    g_assert_cmpstr(third->name, ==, "third");
    g_assert_cmpint(third->next_sibling, ==, HF_NODE_NONE);
    g_assert_cmpint(first->child_count, ==, 2);
    g_assert_cmpint(first->role, ==, HF_ROLE_BUTTON);
    g_assert_cmpint(first->abilities, ==, HF_ABILITY_ACTION);
    g_assert_true(hf_states_have(first->states, HF_STATE_SHOWING));
    g_assert_true(hf_states_have(first->states, HF_STATE_INDETERMINATE));
    g_assert_cmpint(hf_cache_items_find(items, "/nowhere"), ==, HF_NODE_NONE);
    g_assert_cmpint(hf_cache_items_get(items, hf_cache_items_find(items, "/self"))->first_child, ==,
                    HF_NODE_NONE);
}

static void test_listed(void)
{
    g_autoptr(HfCacheItems) items = items_of(
        LISTED,
        "([((':1.2','/top'),(':1.2','/root'),(':1.2','/root'),[(':1.2','/a')],"
        "@as [],'top',23,'',@au []),"
        "((':1.2','/a'),(':1.2','/root'),(':1.2','/top'),@a(so) [],@as [],'a',43,'',[1])],)");
    g_assert_nonnull(items);
    const HfCacheItem *top = hf_cache_items_get(items, hf_cache_items_find(items, "/top"));
    g_assert_cmpint(top->child_count, ==, 1);
    g_assert_cmpint(top->states, ==, 0);
    g_assert_cmpstr(hf_cache_items_get(items, top->first_child)->name, ==, "a");
}

static void test_others(void)
{
    static const char *const types[] = {"(s)", "(as)", "(a(so))"};
    static const char *const texts[] = {"('x',)", "(['x'],)", "([('x','/x')],)"};
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        g_autoptr(HfCacheItems) items = items_of(types[i], texts[i]);
        g_assert_null(items);
    }
}

/* Every byte changed in many ways, and every shorter answer: nothing is read beyond the end (the
 * sanitizer sees to that), and texts that are not UTF-8 or no paths are not taken. */
static void test_hostile(void)
{
    g_autoptr(GVariant) answer = parse(COUNTED, "([" ITEM("/b", "/top", "1", "0", "second") "],)");
    g_autoptr(GVariant) sent = send(answer), bytes = g_variant_get_child_value(sent, 1);
    gsize size;
    const guint8 *data = g_variant_get_fixed_array(bytes, &size, 1);
    static const guint8 values[] = {0, 1, 7, 8, 0x7f, 0x80, 0xff, 'a', '/'};
    for (gsize at = 0; at < size; at++)
        for (gsize k = 0; k <= G_N_ELEMENTS(values); k++) {
            gboolean cut = k == G_N_ELEMENTS(values);
            g_autofree guint8 *copy = g_memdup2(data, size);
            copy[at] = cut ? copy[at] : values[k];
            g_autoptr(GVariant) changed = g_variant_ref_sink(g_variant_new(
                "(s@ay)", "a((so)(so)(so)iiassusau)",
                g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, copy, cut ? at : size, 1)));
            g_autoptr(HfCacheItems) items = hf_cache_items_new(changed);
            g_assert_true(!cut || !items);
            if (items && hf_cache_items_size(items) > 0)
                g_assert_true(g_utf8_validate(hf_cache_items_get(items, 0)->name, -1, NULL) &&
                              g_variant_is_object_path(hf_cache_items_get(items, 0)->path));
        }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-items/counted", test_counted);
    g_test_add_func("/access-items/listed", test_listed);
    g_test_add_func("/access-items/others", test_others);
    g_test_add_func("/access-items/hostile", test_hostile);
    return g_test_run();
}
