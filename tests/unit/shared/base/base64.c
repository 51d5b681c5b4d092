/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of shared/base/base64.c: against GLib's, at every length and with every byte. */
#include "shared/base/base64.h"

#include <string.h>

static void test_against_glib(void)
{
    guint8 bytes[1000];
    for (gsize i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8)(i * 7 + i / 256);
    for (gsize length = 0; length <= sizeof bytes; length++) {
        g_autofree char *want = g_base64_encode(bytes, length);
        /* Exactly as much room as it says, so that a character too many is seen. */
        gsize room = hf_base64_length(length);
        g_autofree char *got = g_malloc(room);
        hf_base64_encode(bytes, length, got);
        g_assert_cmpmem(got, room, want, strlen(want));
    }
}

static void test_back_again(void)
{
    guint8 bytes[300];
    for (gsize i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8)(i * 11 + 3);
    for (gsize length = 0; length <= sizeof bytes; length++) {
        g_autofree char *text = g_base64_encode(bytes, length);
        g_autoptr(GBytes) back = hf_base64_decode(text);
        g_assert_nonnull(back);
        g_assert_cmpmem(g_bytes_get_data(back, NULL), g_bytes_get_size(back), bytes, length);
    }
}

static void test_wrong(void)
{
    static const char *const wrong[] = {
        "A",     "AB",    "ABC",  "ABCDE", "AB*D", "A===",     "====", "AB=C",
        "AB\nD", "ABCD=", " ABC", "=ABC",  "AB==", "ABC=ABCD", "ABD="};
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
        g_assert_null(hf_base64_decode(wrong[i]));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base64/against-glib", test_against_glib);
    g_test_add_func("/base64/back-again", test_back_again);
    g_test_add_func("/base64/wrong", test_wrong);
    return g_test_run();
}
