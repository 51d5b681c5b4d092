/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the items from bytes that may be anything. Items find their parents by path; those without
 * an index among their siblings come last. */
#include "hand/atspi/read/cache-items.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/bus/dbus-message.h"

#define COUNTED "a((so)(so)(so)iiassusau)"
#define LISTED  "a((so)(so)(so)a(so)assusau)"

struct HfCacheItems {
    GVariant *bytes; /* hold all texts */
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

static HfAbility ability_of(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(interfaces_known); i++)
        if (strcmp(interfaces_known[i].name, name) == 0)
            return interfaces_known[i].ability;
    return 0;
}

HfAbility hf_abilities_from_variant(GVariant *interfaces)
{
    HfAbility abilities = 0;
    GVariantIter each;
    const char *name;
    g_variant_iter_init(&each, interfaces);
    while (g_variant_iter_next(&each, "&s", &name))
        abilities |= ability_of(name);
    return abilities;
}

guint64 hf_states_from_variant(GVariant *words)
{
    gsize count = 0;
    const guint32 *bits = g_variant_get_fixed_array(words, &count, sizeof *bits);
    return (count > 0 ? bits[0] : 0) | (count > 1 ? (guint64)bits[1] << 32 : 0);
}

/* ---- one item ---- */

static gboolean take_utf8(HfDbusCursor *cursor, const char **ret_text)
{
    *ret_text = hf_dbus_cursor_take_text(cursor);
    return *ret_text && g_utf8_validate(*ret_text, -1, NULL);
}

static gboolean take_object(HfDbusCursor *cursor, const char **ret_bus, const char **ret_path)
{
    return hf_dbus_cursor_take(cursor, 8, 0) && take_utf8(cursor, ret_bus) &&
           take_utf8(cursor, ret_path) && g_variant_is_object_path(*ret_path);
}

static gboolean take_int(HfDbusCursor *cursor, int *ret_number)
{
    guint32 number;
    if (!hf_dbus_cursor_take_u32(cursor, &number))
        return FALSE;
    *ret_number = (int)number;
    return TRUE;
}

/* Skips the children and counts them. */
static gboolean take_child_count(HfDbusCursor *cursor, int *ret_count)
{
    const char *bus, *path;
    gsize end;
    *ret_count = 0;
    if (!hf_dbus_cursor_take_array(cursor, 8, &end))
        return FALSE;
    for (; cursor->at < end; ++*ret_count)
        if (!take_object(cursor, &bus, &path))
            return FALSE;
    return cursor->at == end;
}

static gboolean take_interfaces(HfDbusCursor *cursor, HfAbility *ret_abilities)
{
    const char *name;
    gsize end;
    *ret_abilities = 0;
    if (!hf_dbus_cursor_take_array(cursor, 4, &end))
        return FALSE;
    while (cursor->at < end) {
        if (!(name = hf_dbus_cursor_take_text(cursor)))
            return FALSE;
        *ret_abilities |= ability_of(name);
    }
    return cursor->at == end;
}

static gboolean take_item_states(HfDbusCursor *cursor, guint64 *ret_states)
{
    guint32 word;
    gsize end;
    *ret_states = 0;
    if (!hf_dbus_cursor_take_array(cursor, 4, &end))
        return FALSE;
    for (guint i = 0; cursor->at < end; i++) {
        if (!hf_dbus_cursor_take_u32(cursor, &word))
            return FALSE;
        *ret_states |= i < 2 ? (guint64)word << (32 * i) : 0;
    }
    return cursor->at == end;
}

static gboolean take_cache_item(HfDbusCursor *cursor, gboolean counted, HfCacheItem *item)
{
    const char *bus, *path;
    *item = (HfCacheItem){.index = -1, .first_child = HF_NODE_NONE, .next_sibling = HF_NODE_NONE};
    if (!hf_dbus_cursor_take(cursor, 8, 0) || !take_object(cursor, &item->bus, &item->path) ||
        !take_object(cursor, &bus, &path) || !take_object(cursor, &bus, &item->parent))
        return FALSE;
    gboolean placed = counted
                          ? take_int(cursor, &item->index) && take_int(cursor, &item->child_count)
                          : take_child_count(cursor, &item->child_count);
    return placed && take_interfaces(cursor, &item->abilities) && take_utf8(cursor, &item->name) &&
           take_int(cursor, &item->role) && take_utf8(cursor, &item->description) &&
           take_item_states(cursor, &item->states);
}

/* ---- all items ---- */

static HfCacheItem *item_at(const HfCacheItems *items, int index)
{
    return &g_array_index(items->list, HfCacheItem, index);
}

/* By index, those without one last; equal ones keep their order. */
static int compare_item_indices(gconstpointer a, gconstpointer b, gpointer data)
{
    const HfCacheItems *items = data;
    int first = *(const int *)a, second = *(const int *)b;
    guint left = (guint)item_at(items, first)->index, right = (guint)item_at(items, second)->index;
    if (left != right)
        return left < right ? -1 : 1;
    return first - second;
}

/* Goes backwards and prepends each child, which leaves them in order. */
static void link_children(HfCacheItems *items)
{
    g_autoptr(GArray) order = g_array_sized_new(FALSE, FALSE, sizeof(int), items->list->len);
    for (int i = 0; i < (int)items->list->len; i++)
        g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_item_indices, items);
    for (guint k = order->len; k-- > 0;) {
        int child = g_array_index(order, int, k);
        int parent = hf_cache_items_find(items, item_at(items, child)->parent);
        if (parent == HF_NODE_NONE || parent == child)
            continue;
        item_at(items, child)->next_sibling = item_at(items, parent)->first_child;
        item_at(items, parent)->first_child = child;
    }
}

static gboolean take_items(HfCacheItems *items, HfDbusCursor *cursor, gboolean counted)
{
    gsize end;
    if (!hf_dbus_cursor_take_array(cursor, 8, &end))
        return FALSE;
    while (cursor->at < end) {
        HfCacheItem item;
        if (!take_cache_item(cursor, counted, &item))
            return FALSE;
        g_array_append_val(items->list, item);
        g_hash_table_insert(items->by_path, (gpointer)item.path,
                            GINT_TO_POINTER((int)items->list->len));
    }
    return cursor->at == end;
}

HfCacheItems *hf_cache_items_new(GVariant *answer)
{
    const char *signature;
    gsize size = 0;
    g_variant_get_child(answer, 0, "&s", &signature);
    gboolean counted = strcmp(signature, COUNTED) == 0;
    if (!counted && strcmp(signature, LISTED) != 0)
        return NULL;
    g_autoptr(HfCacheItems) items = g_new0(HfCacheItems, 1);
    items->bytes = g_variant_get_child_value(answer, 1);
    items->list = g_array_new(FALSE, TRUE, sizeof(HfCacheItem));
    items->by_path = g_hash_table_new(g_str_hash, g_str_equal);
    HfDbusCursor cursor = {.data = g_variant_get_fixed_array(items->bytes, &size, sizeof(guint8))};
    cursor.size = size;
    if (!take_items(items, &cursor, counted))
        return NULL;
    link_children(items);
    return g_steal_pointer(&items);
}

void hf_cache_items_free(HfCacheItems *items)
{
    if (!items)
        return;
    g_hash_table_unref(items->by_path);
    g_array_unref(items->list);
    g_variant_unref(items->bytes);
    g_free(items);
}

int hf_cache_items_size(const HfCacheItems *items)
{
    return (int)items->list->len;
}

const HfCacheItem *hf_cache_items_get(const HfCacheItems *items, int index)
{
    return item_at(items, index);
}

int hf_cache_items_find(const HfCacheItems *items, const char *path)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(items->by_path, path)) - 1;
}
