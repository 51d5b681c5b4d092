/* Children find their parents by path; those that do not say their place come last. */
#include "access/items.h"

#include <stdlib.h>
#include <string.h>

#define COUNTED "(a((so)(so)(so)iiassusau))"
#define LISTED  "(a((so)(so)(so)a(so)assusau))"

struct HfItems {
    GVariant *answer;
    GArray *list;
    GHashTable *by_path; /* → index + 1 */
};

static const struct {
    const char *name;
    HfAbility ability;
} interfaces_known[] = {
    {"org.a11y.atspi.Component", HF_ABILITY_COMPONENT},
    {"org.a11y.atspi.Action", HF_ABILITY_ACTION},
    {"org.a11y.atspi.Text", HF_ABILITY_TEXT},
    {"org.a11y.atspi.EditableText", HF_ABILITY_EDITABLE_TEXT},
    {"org.a11y.atspi.Value", HF_ABILITY_VALUE},
    {"org.a11y.atspi.Selection", HF_ABILITY_SELECTION},
    {"org.a11y.atspi.Table", HF_ABILITY_TABLE},
    {"org.a11y.atspi.Document", HF_ABILITY_DOCUMENT},
    {"org.a11y.atspi.Collection", HF_ABILITY_COLLECTION},
};

HfAbility hf_abilities_from_variant(GVariant *interfaces)
{
    HfAbility abilities = 0;
    GVariantIter each;
    const char *name;
    g_variant_iter_init(&each, interfaces);
    while (g_variant_iter_next(&each, "&s", &name))
        for (gsize i = 0; i < G_N_ELEMENTS(interfaces_known); i++)
            if (strcmp(interfaces_known[i].name, name) == 0)
                abilities |= interfaces_known[i].ability;
    return abilities;
}

guint64 hf_states_from_variant(GVariant *words)
{
    gsize count = 0;
    const guint32 *bits = g_variant_get_fixed_array(words, &count, sizeof *bits);
    return (count > 0 ? bits[0] : 0) | (count > 1 ? (guint64)bits[1] << 32 : 0);
}

static void read_item(GVariant *entry, gboolean counted, HfItem *item)
{
    g_autoptr(GVariant) interfaces = NULL, states = NULL, children = NULL;
    *item = (HfItem){.index = -1, .first_child = HF_NODE_NONE, .next_sibling = HF_NODE_NONE};
    if (counted) {
        g_variant_get(entry, "((&s&o)(&s&o)(&s&o)ii@as&su&s@au)", &item->bus, &item->path, NULL,
                      NULL, NULL, &item->parent, &item->index, &item->child_count, &interfaces,
                      &item->name, &item->role, &item->description, &states);
    } else {
        g_variant_get(entry, "((&s&o)(&s&o)(&s&o)@a(so)@as&su&s@au)", &item->bus, &item->path, NULL,
                      NULL, NULL, &item->parent, &children, &interfaces, &item->name, &item->role,
                      &item->description, &states);
        item->child_count = (int)g_variant_n_children(children);
    }
    item->abilities = hf_abilities_from_variant(interfaces);
    item->states = hf_states_from_variant(states);
}

static HfItem *item_at(const HfItems *items, int index)
{
    return &g_array_index(items->list, HfItem, index);
}

/* By their place, those without one last; equal ones stay as they came. */
static int compare_places(gconstpointer a, gconstpointer b, gpointer data)
{
    const HfItems *items = data;
    int first = *(const int *)a, second = *(const int *)b;
    guint left = (guint)item_at(items, first)->index, right = (guint)item_at(items, second)->index;
    if (left != right)
        return left < right ? -1 : 1;
    return first - second;
}

/* Going backwards and putting each in front leaves them in order. */
static void link_children(HfItems *items)
{
    g_autoptr(GArray) order = g_array_sized_new(FALSE, FALSE, sizeof(int), items->list->len);
    for (int i = 0; i < (int)items->list->len; i++)
        g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_places, items);
    for (guint k = order->len; k-- > 0;) {
        int child = g_array_index(order, int, k);
        int parent = hf_items_find(items, item_at(items, child)->parent);
        if (parent == HF_NODE_NONE || parent == child)
            continue;
        item_at(items, child)->next_sibling = item_at(items, parent)->first_child;
        item_at(items, parent)->first_child = child;
    }
}

HfItems *hf_items_new(GVariant *answer)
{
    gboolean counted = g_variant_is_of_type(answer, G_VARIANT_TYPE(COUNTED));
    if (!counted && !g_variant_is_of_type(answer, G_VARIANT_TYPE(LISTED)))
        return NULL;
    HfItems *items = g_new0(HfItems, 1);
    items->answer = g_variant_ref(answer);
    items->list = g_array_new(FALSE, TRUE, sizeof(HfItem));
    items->by_path = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GVariant) list = g_variant_get_child_value(answer, 0);
    for (gsize i = 0; i < g_variant_n_children(list); i++) {
        g_autoptr(GVariant) entry = g_variant_get_child_value(list, i);
        HfItem item;
        read_item(entry, counted, &item);
        g_array_append_val(items->list, item);
        g_hash_table_insert(items->by_path, (gpointer)item.path, GINT_TO_POINTER((int)i + 1));
    }
    link_children(items);
    return items;
}

void hf_items_free(HfItems *items)
{
    if (!items)
        return;
    g_hash_table_unref(items->by_path);
    g_array_unref(items->list);
    g_variant_unref(items->answer);
    g_free(items);
}

int hf_items_size(const HfItems *items)
{
    return (int)items->list->len;
}

const HfItem *hf_items_get(const HfItems *items, int index)
{
    return item_at(items, index);
}

int hf_items_find(const HfItems *items, const char *path)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(items->by_path, path)) - 1;
}
