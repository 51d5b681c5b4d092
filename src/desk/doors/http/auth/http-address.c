/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses as GLib knows them. IPv4 mapped into IPv6 counts as IPv4. */
#include "desk/doors/http/auth/http-address.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>

#include "shared/base/error.h"

/* The name without its port; NULL when it is not a host. */
static char *dup_host_name(const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    if (host[0] == '[' && !end)
        return NULL;
    const char *rest = end ? end + 1 : host + strcspn(host, ":");
    gsize length = (gsize)(rest - host);
    if (*rest == ':' && strspn(rest + 1, "0123456789") != strlen(rest + 1))
        return NULL;
    if ((*rest != ':' && *rest != '\0') || length == 0 || strlen(rest) > 6)
        return NULL;
    return end ? g_strndup(host + 1, length - 2) : g_strndup(host, length);
}

static gboolean is_own_host_name(const char *name, char *const *own, const json_t *more)
{
    static const char *const always[] = {"localhost", "127.0.0.1", "::1", NULL};
    for (const char *const *each = always; *each; each++)
        if (g_ascii_strcasecmp(*each, name) == 0)
            return TRUE;
    for (char *const *each = own; each && *each; each++)
        if (g_ascii_strcasecmp(*each, name) == 0)
            return TRUE;
    hf_json_each (entry, more)
        if (json_is_string(entry) && g_ascii_strcasecmp(json_string_value(entry), name) == 0)
            return TRUE;
    return FALSE;
}

gboolean hf_http_host_is_ours(const char *host, char *const *own, const json_t *more)
{
    g_autofree char *name = host ? dup_host_name(host) : NULL;
    return name && is_own_host_name(name, own, more);
}

gboolean hf_http_origin_is_ours(const char *origin, char *const *own, const json_t *more)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (gsize i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_str_has_prefix(origin, schemes[i]))
            return hf_http_host_is_ours(origin + strlen(schemes[i]), own, more);
    return FALSE;
}

struct HfHttpAllow {
    GPtrArray *masks; /* of GInetAddressMask */
};

/* ::ffff:a.b.c.d is a.b.c.d. */
static GInetAddress *unmap_ipv4_address(GInetAddress *address)
{
    static const guint8 mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const guint8 *bytes = g_inet_address_to_bytes(address);
    if (g_inet_address_get_family(address) != G_SOCKET_FAMILY_IPV6 ||
        memcmp(bytes, mapped, sizeof mapped) != 0)
        return g_object_ref(address);
    return g_inet_address_new_from_bytes(bytes + sizeof mapped, G_SOCKET_FAMILY_IPV4);
}

char *hf_http_address_dup_text(GInetAddress *address)
{
    g_autoptr(GInetAddress) known = unmap_ipv4_address(address);
    return g_inet_address_to_string(known);
}

static GInetAddress *inet_address_of(const struct sockaddr *address)
{
    if (!address)
        return NULL;
    if (address->sa_family == AF_INET)
        return g_inet_address_new_from_bytes(
            (const guint8 *)&((const struct sockaddr_in *)address)->sin_addr, G_SOCKET_FAMILY_IPV4);
    if (address->sa_family != AF_INET6)
        return NULL;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    return IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)
               ? NULL
               : g_inet_address_new_from_bytes((const guint8 *)&six->sin6_addr,
                                               G_SOCKET_FAMILY_IPV6);
}

static void add_interface(GPtrArray *addresses, const char *name)
{
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *each = all; each; each = each->ifa_next) {
        GInetAddress *address =
            g_str_equal(each->ifa_name, name) ? inet_address_of(each->ifa_addr) : NULL;
        if (address)
            g_ptr_array_add(addresses, address);
    }
    freeifaddrs(all);
}

GPtrArray *hf_http_addresses(const char *listen, GError **error)
{
    g_autoptr(GPtrArray) addresses = g_ptr_array_new_with_free_func(g_object_unref);
    GInetAddress *one = g_inet_address_new_from_string(listen);
    if (one)
        g_ptr_array_add(addresses, one);
    else
        add_interface(addresses, listen);
    if (addresses->len > 0)
        return g_steal_pointer(&addresses);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "http.listen: '%s' is neither an address nor an interface with one", listen);
    hf_error_suggest(
        error, "use an address of this machine or an interface that is up; `ip addr` lists them");
    return NULL;
}

/* Parses an address or a network with a prefix length; NULL when it is neither. GLib reads a length
 * out of range as 0, which would let everybody in. */
static GInetAddressMask *read_mask(const char *text)
{
    const char *slash = strchr(text, '/');
    g_autofree char *front = slash ? g_strndup(text, (gsize)(slash - text)) : g_strdup(text);
    g_autoptr(GInetAddress) address = g_inet_address_new_from_string(front);
    if (!address)
        return NULL;
    guint most = (guint)g_inet_address_get_native_size(address) * 8;
    gsize digits = slash ? strspn(slash + 1, "0123456789") : 0;
    if (slash && (digits == 0 || digits > 3 || slash[1 + digits] != '\0'))
        return NULL;
    guint length = slash ? (guint)g_ascii_strtoull(slash + 1, NULL, 10) : most;
    return length <= most ? g_inet_address_mask_new(address, length, NULL) : NULL;
}

HfHttpAllow *hf_http_allow_new(const json_t *list, char **ret_wrong)
{
    HfHttpAllow *allow = g_new0(HfHttpAllow, 1);
    allow->masks = g_ptr_array_new_with_free_func(g_object_unref);
    *ret_wrong = NULL;
    hf_json_each (entry, list) {
        const char *text = json_string_value(entry);
        GInetAddressMask *mask = text ? read_mask(text) : NULL;
        if (mask)
            g_ptr_array_add(allow->masks, mask);
        else if (!*ret_wrong)
            *ret_wrong = g_strdup(text ? text : "?");
    }
    return allow;
}

void hf_http_allow_free(HfHttpAllow *allow)
{
    if (!allow)
        return;
    g_ptr_array_unref(allow->masks);
    g_free(allow);
}

gboolean hf_http_allow_has(const HfHttpAllow *allow, GInetAddress *address)
{
    g_autoptr(GInetAddress) known = unmap_ipv4_address(address);
    for (guint i = 0; i < allow->masks->len; i++)
        if (g_inet_address_mask_matches(allow->masks->pdata[i], known))
            return TRUE;
    return FALSE;
}
