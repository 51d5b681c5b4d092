/* SPDX-License-Identifier: Apache-2.0 */
/* The actual wall is the browser's proxy (socks-proxy.h), which knows hosts and asks here too.
 * Addresses are checked earlier to give clear errors, and for those that need no network at all. */
#include "hand/browser/network/page-policy.h"

#include <gio/gio.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/network/host-policy.h"
#include "shared/text/text.h"

struct HfPagePolicy {
    HfHostPolicy *hosts;
};

static HfPagePolicy *new_page_policy(HfHostPolicy *take_hosts)
{
    HfPagePolicy *policy = g_new0(HfPagePolicy, 1);
    policy->hosts = take_hosts;
    return policy;
}

HfPagePolicy *hf_page_policy_new(const json_t *domains)
{
    return new_page_policy(hf_host_policy_new(domains));
}

HfPagePolicy *hf_page_policy_new_from_config(const json_t *lists)
{
    return new_page_policy(hf_host_policy_new_from_config(lists));
}

void hf_page_policy_free(HfPagePolicy *policy)
{
    if (!policy)
        return;
    hf_host_policy_free(policy->hosts);
    g_free(policy);
}

HfPagePolicy *hf_page_policy_dup(const HfPagePolicy *policy)
{
    return new_page_policy(hf_host_policy_dup(policy->hosts));
}

gboolean hf_page_policy_equal(const HfPagePolicy *one, const HfPagePolicy *other)
{
    return hf_host_policy_equal(one->hosts, other->hosts);
}

gboolean hf_page_policy_check_host(const HfPagePolicy *policy, const char *host, GError **error)
{
    HfHostVerdict verdict = hf_host_policy_judge(policy->hosts, host);
    if (verdict == HF_HOST_ALLOWED)
        return TRUE;
    g_autofree char *name = hf_host_dup_canonical(host);
    g_autofree char *shown = hf_text_shorten(name, 200);
    hf_fail(error, HF_ERROR_FORBIDDEN, "the browser may not go to '%s': %s", shown,
            hf_host_verdict_reason(verdict));
    hf_error_suggest(error, "use another site, or ask the owner to change %s or the grant",
                     hf_host_verdict_field(verdict));
    hf_error_take_details(error, json_pack("{s:o}", "host", hf_json_text(name)));
    return FALSE;
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
    if (g_str_equal(scheme, "data") && !hf_host_policy_has_allowed(policy->hosts))
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
