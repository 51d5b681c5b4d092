/* SPDX-License-Identifier: Apache-2.0 */
/* The proxies (hand/browser/network/socks-proxy.h, proxy/proxy-server.h) ask here for every
 * connection, so that the same lists mean the same to the browser tools and to all programs. */
#include "shared/network/host-policy.h"

#include <arpa/inet.h>
#include <gio/gio.h>
#include <string.h>

#include "shared/text/host-pattern.h"

struct HfHostPolicy {
    json_t *domains;
};

HfHostPolicy *hf_host_policy_new(const json_t *domains)
{
    HfHostPolicy *policy = g_new0(HfHostPolicy, 1);
    policy->domains = domains ? json_deep_copy(domains) : json_object();
    return policy;
}

HfHostPolicy *hf_host_policy_new_from_config(const json_t *lists)
{
    const json_t *allowed = json_object_get(lists, "allowed");
    g_autoptr(json_t) domains =
        json_pack("{s:[], s:O*}", "allowed", "blocked", json_object_get(lists, "blocked"));
    if (json_array_size(allowed) > 0)
        json_array_append_new(json_object_get(domains, "allowed"), json_deep_copy(allowed));
    return hf_host_policy_new(domains);
}

void hf_host_policy_free(HfHostPolicy *policy)
{
    if (!policy)
        return;
    json_decref(policy->domains);
    g_free(policy);
}

HfHostPolicy *hf_host_policy_dup(const HfHostPolicy *policy)
{
    return hf_host_policy_new(policy->domains);
}

gboolean hf_host_policy_equal(const HfHostPolicy *one, const HfHostPolicy *other)
{
    return json_equal(one->domains, other->domains);
}

gboolean hf_host_policy_has_allowed(const HfHostPolicy *policy)
{
    return json_array_size(json_object_get(policy->domains, "allowed")) > 0;
}

static gboolean fits_any(const json_t *list, const char *host)
{
    hf_json_each (pattern, list)
        if (json_is_string(pattern) && hf_host_pattern_fits(json_string_value(pattern), host))
            return TRUE;
    return FALSE;
}

HfHostVerdict hf_host_policy_judge(const HfHostPolicy *policy, const char *host)
{
    g_autofree char *name = hf_host_dup_canonical(host);
    if (fits_any(json_object_get(policy->domains, "blocked"), name))
        return HF_HOST_BLOCKED;
    hf_json_each (list, json_object_get(policy->domains, "allowed"))
        if (!fits_any(list, name))
            return HF_HOST_NOT_LISTED;
    return HF_HOST_ALLOWED;
}

const char *hf_host_verdict_reason(HfHostVerdict verdict)
{
    return verdict == HF_HOST_BLOCKED ? "it is on the list of blocked domains"
                                      : "it is not on the list of allowed domains";
}

const char *hf_host_verdict_field(HfHostVerdict verdict)
{
    return verdict == HF_HOST_BLOCKED ? "security.blocked_domains" : "security.allowed_domains";
}

/* The system's resolver takes these for IPv4 addresses, too. */
static char *find_short_address(const char *name)
{
    struct in_addr address;
    gboolean numeric = strspn(name, "0123456789abcdefABCDEFxX.") == strlen(name);
    if (!numeric || !inet_aton(name, &address))
        return NULL;
    g_autoptr(GInetAddress) plain =
        g_inet_address_new_from_bytes((const guint8 *)&address.s_addr, G_SOCKET_FAMILY_IPV4);
    return g_inet_address_to_string(plain);
}

static char *find_mapped_address(const char *name)
{
    static const guint8 mapped[12] = {[10] = 0xff, [11] = 0xff};
    g_autoptr(GInetAddress) address =
        strchr(name, ':') ? g_inet_address_new_from_string(name) : NULL;
    const guint8 *bytes = address ? g_inet_address_to_bytes(address) : NULL;
    if (!bytes || g_inet_address_get_native_size(address) != 16 ||
        memcmp(bytes, mapped, sizeof mapped) != 0)
        return NULL;
    g_autoptr(GInetAddress) plain =
        g_inet_address_new_from_bytes(bytes + sizeof mapped, G_SOCKET_FAMILY_IPV4);
    return g_inet_address_to_string(plain);
}

char *hf_host_dup_canonical(const char *host)
{
    gsize length = strlen(host);
    while (length > 1 && host[length - 1] == '.')
        length--;
    g_autofree char *name = g_strndup(host, length);
    char *address = find_mapped_address(name);
    if (!address)
        address = find_short_address(name);
    return address ? address : g_steal_pointer(&name);
}
