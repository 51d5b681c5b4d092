/* SPDX-License-Identifier: Apache-2.0 */
/* The order matters at the end: doors close, their work ends, then they are freed. */
#include "desk/doors/doors.h"

#include "desk/doors/bridge/bridge-events.h"
#include "desk/doors/bridge/bridge-mcp.h"
#include "desk/doors/bridge/bridge.h"
#include "desk/doors/http/routes/openapi.h"
#include "desk/doors/http/server/http-server.h"
#include "desk/doors/methods/method-results.h"
#include "desk/doors/methods/methods.h"
#include "desk/records/events/event-schema.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/tool/schema.h"

struct HfDoors {
    HfWorkers *workers;
    HfMcpServer *mcp;
    HfBridge *bridge;
    HfHttp *http; /* NULL: disabled, or it could not be opened */
};

/* A busy port must not prevent the desk from starting. */
static void open_http(HfDoors *doors, HfDesk *desk)
{
    g_autoptr(GError) problem = NULL;
    doors->http = hf_http_new(desk, doors->workers, doors->mcp, &problem);
    if (doors->http)
        hf_desk_set_door(desk, "http", hf_http_describe(doors->http));
    else if (problem)
        hf_desk_set_door(desk, "http", json_pack("{s:o}", "problem", hf_error_to_json(problem)));
}

HfDoors *hf_doors_open(HfDesk *desk, const HfMcpExtras *extras, GError **error)
{
    g_autofree char *path = hf_path_dup_bridge();
    g_autoptr(HfDoors) doors = g_new0(HfDoors, 1);
    doors->workers = hf_workers_new();
    doors->mcp = hf_mcp_server_new(desk, doors->workers, extras);
    doors->bridge = hf_bridge_new(desk, doors->workers, doors->mcp, path, error);
    if (!doors->bridge)
        return NULL;
    open_http(doors, desk);
    return g_steal_pointer(&doors);
}

void hf_doors_close(HfDoors *doors)
{
    if (!doors)
        return;
    if (doors->bridge)
        hf_bridge_shut(doors->bridge);
    if (doors->http)
        hf_http_shut(doors->http);
    hf_workers_free(doors->workers);
    hf_bridge_free(doors->bridge);
    hf_http_free(doors->http);
    hf_mcp_server_free(doors->mcp);
    g_free(doors);
}

/* The methods that the bridge handles itself. */
static void add_bridge(json_t *methods)
{
    json_object_set_new(methods, "stop", hf_schema_of_table(hf_method_stop_params));
    json_object_set_new(methods, "events.subscribe",
                        hf_schema_of_table(hf_bridge_subscribe_params));
    json_object_set_new(methods, "events.unsubscribe", hf_schema_of_table(hf_method_no_params));
    json_object_set_new(methods, "mcp.open", hf_schema_of_table(hf_bridge_mcp_params));
    json_object_set_new(methods, "cancel",
                        json_pack("{s:s, s:{s:{}}}", "type", "object", "properties", "id"));
}

/* Made from the tables that check requests; nothing runs for it. */
json_t *hf_doors_describe(void)
{
    json_t *methods = hf_methods_describe();
    add_bridge(methods);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "methods", methods, "results",
                     hf_method_results_describe(), "routes", hf_http_describe_routes(), "answers",
                     hf_http_describe_answers(), "events", hf_event_schema_describe());
}
