/* Three bytes are two numbers of 12 bits, and a table says which two characters each becomes. */
#include "base/base64.h"

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

/* -1: no digit. */
static int value_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

/* How many of the last characters are '='; -1: the length is wrong. */
static int count_padding(const char *text, gsize length)
{
    if (length % 4 != 0)
        return -1;
    if (length == 0 || text[length - 1] != '=')
        return 0;
    return text[length - 2] == '=' ? 2 : 1;
}

GBytes *hf_base64_decode(const char *text)
{
    gsize length = strlen(text);
    int padding = count_padding(text, length);
    if (padding < 0)
        return NULL;
    gsize digits = length - (gsize)padding, size = length / 4 * 3 - (gsize)padding, at = 0;
    g_autofree guint8 *bytes = g_malloc(size + 1);
    guint32 bits = 0;
    for (gsize i = 0; i < digits; i++) {
        int value = value_of(text[i]);
        if (value < 0)
            return NULL;
        bits = bits << 6 | (guint32)value;
        if (i % 4 == 3 || i == digits - 1) {
            int have = (int)(i % 4) + 1;
            bits <<= 6 * (4 - have);
            for (int k = 0; k < have - 1 && at < size; k++)
                bytes[at++] = (guint8)(bits >> (16 - 8 * k));
            bits = 0;
        }
    }
    return g_bytes_new_take(g_steal_pointer(&bytes), size);
}
