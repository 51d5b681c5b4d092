/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel itself says whether an address is one of this machine: packets to those have the same
 * address as their source. So addresses that come later, or that only a routing table knows, count
 * too. */
#include "proxy/destination.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy-limits.h"
#include "shared/base/error.h"
#include "shared/network/network-limits.h"

/* ---- this machine ---- */

/* The IPv4 address within one of IPv6: mapped, compatible, or of a translator (RFC 6052). */
static GInetAddress *find_inner_address(GInetAddress *address)
{
    static const guint8 prefixes[][12] = {
        {[10] = 0xff, [11] = 0xff}, {0}, {0x00, 0x64, 0xff, 0x9b}};
    const guint8 *bytes = g_inet_address_to_bytes(address);
    if (g_inet_address_get_family(address) != G_SOCKET_FAMILY_IPV6)
        return NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (memcmp(bytes, prefixes[i], sizeof prefixes[i]) == 0)
            return g_inet_address_new_from_bytes(bytes + sizeof prefixes[i], G_SOCKET_FAMILY_IPV4);
    return NULL;
}

static gboolean is_special(GInetAddress *address)
{
    const guint8 *bytes = g_inet_address_to_bytes(address);
    gboolean ipv4 = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV4;
    return g_inet_address_get_is_any(address) || g_inet_address_get_is_loopback(address) ||
           g_inet_address_get_is_link_local(address) || g_inet_address_get_is_multicast(address) ||
           (ipv4 && (bytes[0] == 0 || bytes[0] == 127 || bytes[0] >= 240));
}

/* Nothing is sent: connecting a datagram socket only asks for the route. Where even that fails,
 * the address is not used. */
static gboolean has_route_to_itself(GInetAddress *address)
{
    g_autoptr(GSocketAddress) there = g_inet_socket_address_new(address, 9);
    g_autoptr(GSocket) probe = g_socket_new(g_inet_address_get_family(address),
                                            G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
    if (!probe)
        return TRUE;
    if (!g_socket_connect(probe, there, NULL, NULL))
        return FALSE; /* no way there at all */
    g_autoptr(GSocketAddress) here = g_socket_get_local_address(probe, NULL);
    return !here || g_inet_address_equal(
                        g_inet_socket_address_get_address(G_INET_SOCKET_ADDRESS(here)), address);
}

gboolean hf_address_leads_here(GInetAddress *address)
{
    g_autoptr(GInetAddress) inner = find_inner_address(address);
    return is_special(address) || (inner && hf_address_leads_here(inner)) ||
           has_route_to_itself(address);
}

/* RFC 1918, carriers (RFC 6598), and the two of IPv6 (RFC 4193, and fec0::/10 before it). */
static gboolean is_private_address(GInetAddress *address)
{
    const guint8 *bytes = g_inet_address_to_bytes(address);
    gboolean ipv4 = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV4;
    return g_inet_address_get_is_site_local(address) ||
           (ipv4 ? bytes[0] == 100 && (bytes[1] & 0xc0) == 64 : (bytes[0] & 0xfe) == 0xfc);
}

gboolean hf_address_is_private(const char *text)
{
    g_autoptr(GInetAddress) address = g_inet_address_new_from_string(text);
    g_autoptr(GInetAddress) inner = address ? find_inner_address(address) : NULL;
    return !address || is_private_address(address) || (inner && is_private_address(inner));
}

/* ---- connecting ---- */

static GList *list_addresses(const char *host, GCancellable *cancellable, GError **error)
{
    g_autoptr(GResolver) resolver = g_resolver_get_default();
    return g_resolver_lookup_by_name(resolver, host, cancellable, error);
}

static gboolean check_address(GInetAddress *address, const char *host, HfAddressCheck check,
                              gpointer data, GError **error)
{
    g_autofree char *text = g_inet_address_to_string(address);
    if (hf_address_leads_here(address))
        return hf_fail(error, HF_ERROR_FORBIDDEN,
                       "programs on this desktop may not reach '%s': it leads to the machine "
                       "itself (%s), which container.network 'policy' keeps out of reach",
                       host, text);
    return check(text, data, error);
}

static GSocketConnection *connect_to_address(GInetAddress *address, guint16 port,
                                             GCancellable *cancellable, GError **error)
{
    g_autoptr(GSocketClient) maker = g_socket_client_new();
    g_autoptr(GSocketAddress) where = g_inet_socket_address_new(address, port);
    g_socket_client_set_enable_proxy(maker, FALSE);
    g_socket_client_set_timeout(maker, HF_LIMIT_PROXY_CONNECT_S / 2);
    return g_socket_client_connect(maker, G_SOCKET_CONNECTABLE(where), cancellable, error);
}

GSocketConnection *hf_destination_connect(const char *host, guint16 port, HfAddressCheck check,
                                          gpointer data, GCancellable *cancellable,
                                          char **ret_address, GError **error)
{
    GList *addresses = list_addresses(host, cancellable, error);
    GSocketConnection *made = NULL;
    g_autoptr(GError) last = NULL;
    guint tried = 0;
    for (GList *each = addresses; each && !made && tried < HF_LIMIT_PROXY_ADDRESSES;
         each = each->next, tried++) {
        g_autoptr(GError) reason = NULL;
        if (check_address(each->data, host, check, data, &reason))
            made = connect_to_address(each->data, port, cancellable, &reason);
        if (made)
            *ret_address = g_inet_address_to_string(each->data);
        /* The first reason tells most: a refusal, or why the preferred address failed. */
        else if (!last)
            last = g_steal_pointer(&reason);
    }
    g_resolver_free_addresses(addresses);
    if (!made && last)
        g_propagate_error(error, g_steal_pointer(&last));
    return made;
}
