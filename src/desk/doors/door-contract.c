/* SPDX-License-Identifier: Apache-2.0 */
/* Made from the tables that check requests; nothing runs for it. */
#include "desk/doors/door-contract.h"

#include "desk/doors/bridge/bridge-events.h"
#include "desk/doors/bridge/bridge-mcp.h"
#include "desk/doors/http/routes/openapi.h"
#include "desk/doors/methods/method-results.h"
#include "desk/doors/methods/methods.h"
#include "desk/records/events/event-schema.h"
#include "shared/tool/schema.h"

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

json_t *hf_doors_describe(void)
{
    json_t *methods = hf_methods_describe();
    add_bridge(methods);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "methods", methods, "results",
                     hf_method_results_describe(), "routes", hf_http_describe_routes(), "answers",
                     hf_http_describe_answers(), "events", hf_event_schema_describe());
}
