/* SPDX-License-Identifier: Apache-2.0 */
/* Hands a connection over to MCP. The caller is the program that started us, as /proc shows it,
 * never what a client claims. */
#include "desk/doors/bridge/bridge-mcp.h"

#include <string.h>

#include "desk/doors/mcp/mcp-connection.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/process/processes.h"
#include "shared/tool/param-check.h"

const HfParam hf_bridge_mcp_params[] = {
    HF_STRING("profile", "Profile: how many tools to show", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("desktop", "Desktop of calls that name none", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    {0},
};

static void send_mcp_line(HfBridgeClient *client, const char *text, gsize length)
{
    g_autofree char *line = g_malloc(length + 1);
    memcpy(line, text, length);
    line[length] = '\n';
    hf_bridge_client_send(client, line, length + 1);
}

static void send_mcp_message(const HfMcpMessage *message, gpointer data)
{
    if (message->text)
        send_mcp_line(data, message->text, message->length);
}

static void receive_mcp_line(HfBridgeClient *client, GBytes *line, gpointer data)
{
    hf_mcp_receive(data, line, NULL);
}

static void close_bridge_mcp(gpointer data)
{
    hf_mcp_close(data);
    hf_mcp_unref(data);
}

static char *dup_process_program(pid_t pid)
{
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)pid);
    return g_file_read_link(link, NULL);
}

/* Makes the caller the nearest ancestor that is not ours. Returns its program; NULL when that is
 * unknown. */
static char *attribute_to_client(HfCaller *caller)
{
    HfProcess process = {.pid = caller->pid, .start_time = caller->start_time};
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autoptr(GArray) line = hf_process_list_ancestors(&process);
    for (guint i = 0; line && i < line->len; i++) {
        const HfProcess *each = &g_array_index(line, HfProcess, i);
        g_autofree char *program = dup_process_program(each->pid);
        if (g_strcmp0(program, own) == 0)
            continue;
        caller->pid = each->pid;
        caller->start_time = each->start_time;
        return g_steal_pointer(&program);
    }
    return NULL;
}

/* MCP cannot carry a nonce: a client that needs one may not use MCP. */
static gboolean check_nonce(HfMcpServer *server, const char *name, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(server->desk);
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard));
    return !hf_json_bool(hf_config_find(config, "clients", name), "require_nonce", FALSE) ||
           hf_fail(error, HF_ERROR_FORBIDDEN,
                   "the owner requires a nonce in each request of '%s', and MCP cannot carry one",
                   name);
}

static HfMcp *open_mcp(HfMcpServer *server, HfBridgeClient *client, const json_t *params,
                       GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_bridge_mcp_params, params, error);
    if (!checked)
        return NULL;
    HfCaller caller = *hf_bridge_client_get_caller(client);
    g_autofree char *program = attribute_to_client(&caller);
    g_autofree char *name = program ? g_path_get_basename(program) : g_strdup("unknown");
    caller.program = program;
    caller.name = name;
    if (!check_nonce(server, name, error))
        return NULL;
    HfMcpOptions options = {.caller = &caller,
                            .profile = hf_json_string(checked, "profile", NULL),
                            .desktop = hf_json_string(checked, "desktop", NULL)};
    g_autoptr(HfMcpOutput) output = hf_mcp_output_new(
        send_mcp_message, hf_bridge_client_ref(client), (GDestroyNotify)hf_bridge_client_unref);
    return hf_mcp_new(server, &options, output, error);
}

gboolean hf_bridge_mcp_open(HfMcpServer *server, HfBridgeClient *client, const json_t *request)
{
    if (strcmp(hf_json_string(request, "method", ""), "mcp.open") != 0)
        return FALSE;
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) none = json_object();
    const json_t *id = json_object_get(request, "id"), *given = json_object_get(request, "params");
    HfMcp *mcp = open_mcp(server, client, given ? given : none, &error);
    json_t *answer =
        error ? json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error))
              : json_pack("{s:b, s:{s:s}}", "ok", 1, "result", "caller", mcp->caller.name);
    g_autoptr(json_t) reply = json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id",
                                        id ? id : json_null(), "result", answer);
    g_autofree char *text = hf_json_dump(reply);
    send_mcp_line(client, text, strlen(text));
    if (mcp)
        hf_bridge_client_hand_over(client, receive_mcp_line, mcp, close_bridge_mcp);
    return TRUE;
}
