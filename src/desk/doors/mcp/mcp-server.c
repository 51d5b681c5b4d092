/* SPDX-License-Identifier: Apache-2.0 */
/* One of these for each desk. */
#include "desk/doors/mcp/mcp-server.h"

#include "desk/doors/mcp/mcp-calls.h"
#include "desk/doors/mcp/mcp-limits.h"

struct HfMcpServer {
    HfDesk *desk;
    HfWorkers *workers;
    HfMcpStateSigner *signer;
    HfMcpCalls *calls;
    const HfMcpExtras *extras;
    GMutex lock;          /* guards what follows */
    GHashTable *pictures; /* "principal desktop" → json_t */
};

HfMcpServer *hf_mcp_server_new(HfDesk *desk, HfWorkers *workers, const HfMcpExtras *extras)
{
    HfMcpServer *server = g_new0(HfMcpServer, 1);
    server->desk = desk;
    server->workers = workers;
    server->extras = extras;
    server->signer = hf_mcp_state_signer_new();
    server->calls = hf_mcp_calls_new();
    g_mutex_init(&server->lock);
    server->pictures =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)json_decref);
    return server;
}

void hf_mcp_server_free(HfMcpServer *server)
{
    if (!server)
        return;
    hf_mcp_calls_free(server->calls);
    hf_mcp_state_signer_free(server->signer);
    g_hash_table_unref(server->pictures);
    g_mutex_clear(&server->lock);
    g_free(server);
}

HfDesk *hf_mcp_server_get_desk(const HfMcpServer *server)
{
    return server->desk;
}

HfWorkers *hf_mcp_server_get_workers(const HfMcpServer *server)
{
    return server->workers;
}

const HfMcpStateSigner *hf_mcp_server_get_state_signer(const HfMcpServer *server)
{
    return server->signer;
}

HfMcpCalls *hf_mcp_server_get_calls(const HfMcpServer *server)
{
    return server->calls;
}

const HfMcpExtras *hf_mcp_server_get_extras(const HfMcpServer *server)
{
    return server->extras;
}

json_t *hf_mcp_server_dup_picture(HfMcpServer *server, const char *principal, const char *desktop)
{
    g_autofree char *key = g_strdup_printf("%s %s", principal, desktop);
    g_mutex_lock(&server->lock);
    json_t *picture = json_deep_copy(g_hash_table_lookup(server->pictures, key));
    g_mutex_unlock(&server->lock);
    return picture;
}

void hf_mcp_server_note_picture(HfMcpServer *server, const char *principal, const char *desktop,
                                json_t *picture)
{
    g_mutex_lock(&server->lock);
    /* Hands keep a few dozen pictures; a caller that looked so long ago must look again anyway. */
    if (g_hash_table_size(server->pictures) >= HF_LIMIT_MCP_PICTURES)
        g_hash_table_remove_all(server->pictures);
    g_hash_table_replace(server->pictures, g_strdup_printf("%s %s", principal, desktop),
                         json_deep_copy(picture));
    g_mutex_unlock(&server->lock);
}
