/* SPDX-License-Identifier: Apache-2.0 */
/* A stop is never refused: an invalid reason is ignored. */
#include "desk/doors/bridge/bridge-stop.h"

#include <string.h>

#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

typedef struct Reply {
    HfBridgeClient *client;
    json_t *id; /* NULL: a notification, nobody waits */
} Reply;

static void send_stop_json(HfBridgeClient *client, json_t *take_json)
{
    g_autoptr(json_t) json = take_json;
    g_autofree char *dump = hf_json_dump(json);
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    hf_bridge_client_send(client, text, strlen(text));
}

static void answer_bridge_stop(gboolean durable, gpointer data)
{
    Reply *reply = data;
    if (reply->id)
        send_stop_json(reply->client,
                       json_pack("{s:s, s:o, s:{s:b, s:{s:b, s:b}}}", "jsonrpc", "2.0", "id",
                                 g_steal_pointer(&reply->id), "result", "ok", 1, "result",
                                 "stopped", 1, "durable", durable));
    hf_bridge_client_unref(reply->client);
    g_free(reply);
}

void hf_bridge_handle_stop(HfDesk *desk, HfBridgeClient *client, const json_t *request)
{
    const json_t *id = json_object_get(request, "id");
    const char *given = hf_json_string(json_object_get(request, "params"), "reason", NULL);
    g_autofree char *reason = given ? hf_text_shorten(given, HF_LIMIT_TITLE_BYTES) : NULL;
    Reply *reply = g_new0(Reply, 1);
    reply->client = hf_bridge_client_ref(client);
    reply->id = id ? json_deep_copy(id) : NULL;
    hf_guard_stop(hf_desk_get_guard(desk), hf_bridge_client_get_caller(client), NULL, reason,
                  answer_bridge_stop, reply);
    send_stop_json(client,
                   json_pack("{s:s, s:s, s:{}}", "jsonrpc", "2.0", "method", "stopping", "params"));
}
