/* SPDX-License-Identifier: Apache-2.0 */
/* The actual wall is the browser's proxy (socks-proxy.h), which knows hosts and asks here too.
 * Addresses are checked earlier to give clear errors, and for those that need no network at all. */
#include "hand/browser/network/page-policy.h"

#include <gio/gio.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/text/host-pattern.h"
#include "shared/text/text.h"

struct HfPagePolicy {
    json_t *domains;
};

HfPagePolicy *hf_page_policy_new(const json_t *domains)
{
    HfPagePolicy *policy = g_new0(HfPagePolicy, 1);
    policy->domains = domains ? json_deep_copy(domains) : json_object();
    return policy;
}

void hf_page_policy_free(HfPagePolicy *policy)
{
    if (!policy)
        return;
    json_decref(policy->domains);
    g_free(policy);
}

HfPagePolicy *hf_page_policy_dup(const HfPagePolicy *policy)
{
    return hf_page_policy_new(policy->domains);
}

gboolean hf_page_policy_equal(const HfPagePolicy *one, const HfPagePolicy *other)
{
    return json_equal(one->domains, other->domains);
}

static gboolean fits_any(const json_t *list, const char *host)
{
    hf_json_each (pattern, list)
        if (json_is_string(pattern) && hf_host_pattern_fits(json_string_value(pattern), host))
            return TRUE;
    return FALSE;
}

static gboolean forbid_host(GError **error, const char *host, const char *list)
{
    g_autofree char *shown = hf_text_shorten(host, 200);
    hf_fail(error, HF_ERROR_FORBIDDEN, "the browser may not go to '%s': %s", shown, list);
    hf_error_suggest(error,
                     "use another site, or ask the owner to change security.%s_domains or the "
                     "grant",
                     strstr(list, "blocked") ? "blocked" : "allowed");
    hf_error_take_details(error, json_pack("{s:o}", "host", hf_json_text(host)));
    return FALSE;
}

/* One spelling per host: without a trailing dot, and IPv4 addresses not written as IPv6
 * (::ffff:127.0.0.1). */
static char *dup_canonical_host(const char *host)
{
    static const guint8 mapped[12] = {[10] = 0xff, [11] = 0xff};
    gsize length = strlen(host);
    while (length > 1 && host[length - 1] == '.')
        length--;
    char *name = g_strndup(host, length);
    g_autoptr(GInetAddress) address =
        strchr(name, ':') ? g_inet_address_new_from_string(name) : NULL;
    const guint8 *bytes = address ? g_inet_address_to_bytes(address) : NULL;
    if (!bytes || g_inet_address_get_native_size(address) != 16 ||
        memcmp(bytes, mapped, sizeof mapped) != 0)
        return name;
    g_free(name);
    g_autoptr(GInetAddress) plain =
        g_inet_address_new_from_bytes(bytes + sizeof mapped, G_SOCKET_FAMILY_IPV4);
    return g_inet_address_to_string(plain);
}

gboolean hf_page_policy_check_host(const HfPagePolicy *policy, const char *host, GError **error)
{
    g_autofree char *name = dup_canonical_host(host);
    if (fits_any(json_object_get(policy->domains, "blocked"), name))
        return forbid_host(error, name, "it is on the list of blocked domains");
    hf_json_each (list, json_object_get(policy->domains, "allowed"))
        if (!fits_any(list, name))
            return forbid_host(error, name, "it is not on the list of allowed domains");
    return TRUE;
}

/* 127.0.0.1:8765 and localhost:80/x begin with a host, not with a scheme. */
static gboolean is_host_and_port(const char *url, gsize length)
{
    gsize digits = strspn(url + length + 1, "0123456789");
    const char *rest = url + length + 1 + digits;
    gboolean named =
        memchr(url, '.', length) || g_ascii_isdigit(url[0]) ||
        (length == strlen("localhost") && g_ascii_strncasecmp(url, "localhost", length) == 0);
    return named && digits > 0 && (*rest == '\0' || strchr("/?#", *rest));
}

static gboolean check_web(const HfPagePolicy *policy, const char *url, GError **error)
{
    g_autoptr(GUri) uri =
        g_uri_parse(url, G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_SCHEME_NORMALIZE, NULL);
    const char *host = uri ? g_uri_get_host(uri) : NULL;
    g_autofree char *shown = hf_text_shorten(url, 200);
    if (!host || !*host)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' has no host name", shown);
    return hf_page_policy_check_host(policy, host, error);
}

static gboolean forbid_scheme(const char *scheme, GError **error)
{
    hf_fail(error, HF_ERROR_FORBIDDEN, "the browser does not open %s: addresses", scheme);
    hf_error_suggest(error, "%s",
                     g_str_equal(scheme, "file")
                         ? "read the file with file_read, or serve its folder over http on this "
                           "machine"
                         : "use an address that begins with https:// or http://");
    return FALSE;
}

gboolean hf_page_policy_check_address(const HfPagePolicy *policy, const char *url, GError **error)
{
    gsize length = strcspn(url, ":/?#\\ ");
    gboolean has_scheme = url[length] == ':' && length > 0 && !is_host_and_port(url, length);
    g_autofree char *scheme = has_scheme ? g_ascii_strdown(url, (gssize)length) : NULL;
    g_autofree char *shown = hf_text_shorten(url, 200);
    if (!scheme) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a complete address", shown);
        hf_error_suggest(error, "use https://%s or http://%s", shown, shown);
        return FALSE;
    }
    if (g_str_equal(scheme, "http") || g_str_equal(scheme, "https"))
        return check_web(policy, url, error);
    if (g_ascii_strcasecmp(url, "about:blank") == 0)
        return TRUE;
    if (g_str_equal(scheme, "data") &&
        json_array_size(json_object_get(policy->domains, "allowed")) == 0)
        return TRUE;
    return forbid_scheme(scheme, error);
}

gboolean hf_page_policy_check_page(const HfPagePolicy *policy, const char *url, GError **error)
{
    if (!*url || g_str_has_prefix(url, "chrome-error:") || g_str_has_prefix(url, "about:"))
        return TRUE;
    if (g_str_has_prefix(url, "blob:http"))
        return check_web(policy, url + strlen("blob:"), error);
    return hf_page_policy_check_address(policy, url, error);
}
