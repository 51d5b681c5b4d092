/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of MCP clients: parsing, telling what they are, and what is read from them before
 * anything is done; and the state and headers that clients carry. */
#include <string.h>

#include "desk/doors/http/mcp/mcp-headers.h"
#include "desk/doors/mcp/mcp-message.h"
#include "desk/doors/mcp/mcp-resources.h"
#include "desk/doors/mcp/mcp-server.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size);

static void read_message(const json_t *message)
{
    const char *problem = NULL, *name = NULL;
    HfMcpKind kind = hf_mcp_message_kind(message, &problem);
    g_assert((kind == HF_MCP_KIND_INVALID) == (problem != NULL));
    if (kind != HF_MCP_KIND_REQUEST)
        return;
    HfMcpHeaders headers = {"2026-07-28", hf_json_string(message, "method", NULL), NULL};
    hf_mcp_headers_check(&headers, message);
    hf_mcp_message_is_modern(message);
    hf_mcp_resource_kind(hf_json_string(json_object_get(message, "params"), "uri", ""), &name);
}

int LLVMFuzzerTestOneInput(const guint8 *data, size_t size)
{
    static HfMcpStateSigner *seal;
    if (!seal)
        seal = hf_mcp_state_signer_new();
    g_autofree char *problem = NULL;
    g_autoptr(json_t) message =
        hf_mcp_message_parse(size ? (const char *)data : "", size, &problem);
    g_assert((message == NULL) == (problem != NULL));
    if (message)
        read_message(message);
    g_autofree char *text = g_strndup(size ? (const char *)data : "", size);
    g_autofree char *decoded = hf_mcp_header_decode(text);
    gboolean wrapped = g_str_has_prefix(text, "=?base64?") && g_str_has_suffix(text, "?"
                                                                                     "=");
    g_assert(!wrapped || !decoded || strlen(text) < 11 || g_utf8_validate(decoded, -1, NULL));
    hf_mcp_header_accepts(text, "text/event-stream");
    g_autoptr(json_t) claims = hf_mcp_state_verify(seal, text);
    g_assert_null(claims);
    return 0;
}
