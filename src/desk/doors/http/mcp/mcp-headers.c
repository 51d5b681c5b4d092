/* SPDX-License-Identifier: Apache-2.0 */
/* MCP headers. Values are compared exactly; only header names ignore case. */
#include "desk/doors/http/mcp/mcp-headers.h"

#include <string.h>

#include "desk/doors/mcp/mcp-message.h"
#include "shared/base/json.h"

static const char prefix[] = "=?base64?", suffix[] = "?=";

static gboolean is_base64(const char *text)
{
    gsize length = strlen(text), signs = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "abcdefghijklmnopqrstuvwxyz0123456789+/");
    gsize padding = strspn(text + signs, "=");
    return length % 4 == 0 && signs + padding == length && padding <= 2;
}

char *hf_mcp_header_decode(const char *value)
{
    g_autofree char *plain = g_strstrip(g_strdup(value));
    if (!g_str_has_prefix(plain, prefix) || !g_str_has_suffix(plain, suffix) ||
        strlen(plain) < strlen(prefix) + strlen(suffix))
        return g_steal_pointer(&plain);
    plain[strlen(plain) - strlen(suffix)] = '\0';
    const char *code = plain + strlen(prefix);
    if (!is_base64(code))
        return NULL;
    gsize length;
    g_autofree guchar *bytes = g_base64_decode(code, &length);
    char *text = g_strndup((const char *)bytes, length);
    if (g_utf8_validate_len(text, length, NULL))
        return text;
    g_free(text);
    return NULL;
}

/* The value that Mcp-Name must repeat; NULL: the method has none. */
static const char *name_in_message(const json_t *message)
{
    const char *method = hf_json_string(message, "method", "");
    const json_t *params = json_object_get(message, "params");
    if (strcmp(method, "resources/read") == 0)
        return hf_json_string(params, "uri", "");
    if (strcmp(method, "tools/call") == 0 || strcmp(method, "prompts/get") == 0)
        return hf_json_string(params, "name", "");
    return NULL;
}

static gboolean header_equals_body(const char *header, const char *body)
{
    g_autofree char *meant = header ? hf_mcp_header_decode(header) : NULL;
    return meant && strcmp(meant, body) == 0;
}

const char *hf_mcp_headers_check(const HfMcpHeaders *headers, const json_t *message)
{
    const json_t *meta = hf_mcp_message_meta(message);
    const char *version = hf_json_string(meta, HF_MCP_META("protocolVersion"), "");
    const char *name = name_in_message(message);
    if (!header_equals_body(headers->version, version))
        return "the header MCP-Protocol-Version must equal the version in _meta";
    if (!header_equals_body(headers->method, hf_json_string(message, "method", "")))
        return "the header Mcp-Method must equal the method";
    if (name && !header_equals_body(headers->name, name))
        return "the header Mcp-Name must equal params.name or params.uri";
    return NULL;
}

gboolean hf_mcp_header_accepts(const char *accept, const char *type)
{
    g_auto(GStrv) ranges = g_strsplit(accept ? accept : "*/*", ",", -1);
    const char *slash = strchr(type, '/');
    for (char **range = ranges; *range; range++) {
        (*range)[strcspn(*range, ";")] = '\0';
        const char *plain = g_strstrip(*range);
        gboolean family =
            g_str_has_suffix(plain, "/*") && strncmp(plain, type, (gsize)(slash - type) + 1) == 0;
        if (strcmp(plain, "*/*") == 0 || g_ascii_strcasecmp(plain, type) == 0 || family)
            return TRUE;
    }
    return FALSE;
}
