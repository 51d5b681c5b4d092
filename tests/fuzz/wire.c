/* SPDX-License-Identifier: Apache-2.0 */
/* Any program on the accessibility bus may answer with anything: messages, values and lists of
 * objects. As it comes; with the lengths of its head put right, so that what is in it is looked at;
 * and as the body of a list in each of its forms. */
#include <string.h>

#include "hand/atspi/bus/dbus-message.h"
#include "hand/atspi/read/cache-items.h"

#define HEAD_BYTES 16

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

/* Whoever follows children and siblings stays within the list and comes to an end. */
static void walk(const HfCacheItems *items)
{
    int count = hf_cache_items_size(items);
    for (int i = 0; i < count; i++) {
        const HfCacheItem *item = hf_cache_items_get(items, i);
        g_assert(g_utf8_validate(item->name, -1, NULL) && item->path && item->parent);
        int steps = 0;
        for (int child = item->first_child; child != HF_NODE_NONE;
             child = hf_cache_items_get(items, child)->next_sibling) {
            g_assert(child >= 0 && child < count && steps < count);
            steps++;
        }
        g_assert(hf_cache_items_find(items, item->path) >= 0);
    }
}

static void list(GVariant *bytes)
{
    g_autoptr(HfCacheItems) items = hf_cache_items_new(bytes);
    if (items)
        walk(items);
}

/* What was understood can be said again, and means the same. */
static void repeat(GVariant *value)
{
    HfDbusCall call = {NULL, "/p", "x.I", "M"};
    g_autoptr(GByteArray) again = hf_dbus_message_write(&call, g_variant_ref(value));
    again->data[1] = 2; /* an answer */
    HfDbusReply answer;
    g_assert(hf_dbus_message_measure(again->data, again->len) == (gssize)again->len);
    g_assert(hf_dbus_message_read(again->data, again->len, &answer));
    g_autoptr(GVariant) same = hf_dbus_reply_decode(&answer);
    g_autofree char *one = g_variant_print(value, TRUE);
    g_autofree char *other = same ? g_variant_print(same, TRUE) : NULL;
    g_assert(g_strcmp0(one, other) == 0);
}

static void read_message(const guint8 *data, gsize size)
{
    HfDbusReply answer;
    if (hf_dbus_message_measure(data, size) != (gssize)size ||
        !hf_dbus_message_read(data, size, &answer))
        return;
    g_autoptr(GVariant) value = hf_dbus_reply_decode(&answer);
    g_autoptr(GVariant) bytes = hf_dbus_reply_dup_bytes(&answer);
    g_assert(!value || answer.signature);
    if (value)
        repeat(value);
    if (bytes)
        list(bytes);
}

static void read_put_right(const guint8 *data, gsize size)
{
    if (size < HEAD_BYTES)
        return;
    g_autofree guint8 *message = g_memdup2(data, size);
    guint32 fields, room = (guint32)(size - HEAD_BYTES);
    memcpy(&fields, data + 12, sizeof fields);
    fields = room == 0 ? 0 : fields % (room + 1);
    gsize head = (HEAD_BYTES + (gsize)fields + 7) / 8 * 8;
    guint32 body = head <= size ? (guint32)(size - head) : 0;
    message[0] = G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'l' : 'B';
    message[3] = 1;
    memcpy(message + 4, &body, sizeof body);
    memcpy(message + 12, &fields, sizeof fields);
    read_message(message, size);
}

static void read_list(const char *signature, const guint8 *data, gsize size)
{
    HfDbusReply answer = {1, signature, data, size};
    g_autoptr(GVariant) bytes = hf_dbus_reply_dup_bytes(&answer);
    list(bytes);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
    read_message(data, size);
    read_put_right(data, size);
    read_list("a((so)(so)(so)iiassusau)", data, size);
    read_list("a((so)(so)(so)a(so)assusau)", data, size);
    return 0;
}
