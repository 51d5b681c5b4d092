/* SPDX-License-Identifier: Apache-2.0 */
/* What strangers send to the HTTP door and is ours to read: the first byte says what the rest is.
 * Values of a path are UTF-8 and never empty; a host that is ours is one of the names. */
#include <stdint.h>
#include <string.h>

#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/server/json-body.h"
#include "desk/doors/http/server/url-path.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_path(const char *text)
{
    static const char *const methods[] = {"GET", "POST", "HEAD", "DELETE"};
    const char *line = strchr(text, '\n');
    g_autofree char *pattern = line ? g_strndup(text, (gsize)(line - text)) : g_strdup("/{a}");
    g_autoptr(GPtrArray) match = hf_http_path_match(pattern, line ? line + 1 : text);
    for (guint i = 0; match && i < match->len; i++)
        g_assert_true(*(char *)match->pdata[i] && g_utf8_validate(match->pdata[i], -1, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
        g_autoptr(GPtrArray) values = NULL;
        g_autofree char *allow = NULL;
        const HfHttpRoute *route =
            hf_http_route_find(methods[i], line ? line + 1 : text, &values, &allow);
        g_assert_true((route != NULL) == (values != NULL));
    }
}

static void try_host(const char *text, gboolean origin)
{
    g_autoptr(json_t) more = json_pack("[s]", "my-machine");
    gboolean ours =
        origin ? hf_http_origin_is_ours(text, NULL, more) : hf_http_host_is_ours(text, NULL, more);
    if (ours)
        g_assert_true(strpbrk(text + (origin ? 8 : 0), " /@?#\\") == NULL);
}

static void try_body(const char *text, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(text, size);
    g_autoptr(json_t) json = hf_http_body_parse(bytes, &error);
    g_assert_true((json != NULL) == (error == NULL));
    g_assert_true(!json || json_is_object(json));
}

static void try_allow(const char *text)
{
    g_autofree char *wrong = NULL;
    g_autoptr(json_t) list = json_pack("[o]", hf_json_text(text));
    g_autoptr(HfHttpAllow) allow = hf_http_allow_new(list, &wrong);
    g_autoptr(GInetAddress) address = g_inet_address_new_from_string("127.0.0.1");
    if (wrong)
        g_assert_false(hf_http_allow_has(allow, address));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
    switch (data[0] % 6) {
    case 0:
        try_path(text);
        break;
    case 1: {
        g_autoptr(GHashTable) query = hf_http_query_parse(text);
        g_assert_nonnull(query);
        break;
    }
    case 2:
        try_host(text, FALSE);
        break;
    case 3:
        try_host(text, TRUE);
        break;
    case 4:
        try_body((const char *)data + 1, size - 1);
        break;
    default:
        try_allow(text);
    }
    return 0;
}
