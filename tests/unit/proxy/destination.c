/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are this machine, and which are of a private network. */
#include "proxy/destination.h"

static const char *const here[] = {
    "127.0.0.1",
    "127.255.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "255.255.255.255",
    "224.0.0.1",
    "169.254.169.254",
    "::",
    "::1",
    "fe80::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:0.0.0.0",
    "64:ff9b::7f00:1",
    "::127.0.0.1",
    "240.0.0.1",
    "::ffff:a9fe:a9fe",
};
static const char *const private[] = {
    "10.0.0.1",           "172.16.0.1",      "172.31.255.255", "192.168.1.1",
    "100.64.0.1",         "100.127.255.255", "fd00::1",        "fc00::1",
    "::ffff:192.168.1.1", "64:ff9b::a00:1",  "fec0::1",        "no address",
};
static const char *const public[] = {
    "203.0.113.2", "172.32.0.1",  "100.128.0.1",        "100.63.0.1",
    "11.0.0.1",    "2001:db8::1", "::ffff:203.0.113.2",
};

static void test_here(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(here); i++) {
        g_autoptr(GInetAddress) address = g_inet_address_new_from_string(here[i]);
        g_test_message("%s", here[i]);
        g_assert_true(hf_address_leads_here(address));
    }
}

static void test_private(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(private); i++) {
        g_test_message("%s", private[i]);
        g_assert_true(hf_address_is_private(private[i]));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(public); i++) {
        g_test_message("%s", public[i]);
        g_assert_false(hf_address_is_private(public[i]));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/destination/here", test_here);
    g_test_add_func("/destination/private", test_private);
    return g_test_run();
}
