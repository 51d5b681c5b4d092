/* Made from the tables that requests are checked against; nothing runs for it. */
#include "front/describe.h"

#include "front/bridge/events.h"
#include "front/bridge/mcp.h"
#include "front/http/openapi.h"
#include "front/methods/methods.h"
#include "front/methods/results.h"
#include "guard/event-members.h"
#include "tool/schema.h"

/* What the bridge answers by itself. */
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

json_t *hf_front_describe(void)
{
    json_t *methods = hf_methods_describe();
    add_bridge(methods);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "methods", methods, "results",
                     hf_method_results_describe(), "routes", hf_http_describe_routes(), "answers",
                     hf_http_describe_answers(), "events", hf_event_members_describe());
}
