/* SPDX-License-Identifier: Apache-2.0 */
/* Three bytes are two numbers of 12 bits; a table holds the two characters for each. */
#include "shared/base/base64.h"

#include <sodium.h>
#include <string.h>

static char pairs[4096][2];

static void ensure_pairs(void)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static gsize made;
    if (!g_once_init_enter(&made))
        return;
    for (int i = 0; i < 4096; i++) {
        pairs[i][0] = digits[i >> 6];
        pairs[i][1] = digits[i & 63];
    }
    g_once_init_leave(&made, 1);
}

static inline void put_three(const guint8 *from, char *to)
{
    guint32 bits = (guint32)from[0] << 16 | (guint32)from[1] << 8 | from[2];
    memcpy(to, pairs[bits >> 12], 2);
    memcpy(to + 2, pairs[bits & 4095], 2);
}

void hf_base64_encode(const guint8 *bytes, gsize length, char *to)
{
    ensure_pairs();
    for (; length >= 3; bytes += 3, to += 4, length -= 3)
        put_three(bytes, to);
    if (length == 0)
        return;
    guint8 last[3] = {bytes[0], length == 2 ? bytes[1] : 0, 0};
    put_three(last, to);
    to[3] = '=';
    if (length == 1)
        to[2] = '=';
}

GBytes *hf_base64_decode(const char *text)
{
    gsize length = strlen(text), room = length / 4 * 3, size = 0;
    g_autofree guint8 *bytes = g_malloc(room + 1);
    if (sodium_base642bin(bytes, room + 1, text, length, NULL, &size, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return NULL;
    return g_bytes_new_take(g_steal_pointer(&bytes), size);
}
