/* The routes under /v1: tools, and what manages the desk. Where the bridge has a method, the route
 * only names it. */
#include "front/http/bridge-route.h"
#include "front/http/routes.h"
#include "front/http/tools.h"

const HfHttpRoute hf_http_v1_routes[] = {
    {.method = "GET",
     .path = "/v1/status",
     .handler = hf_http_handle_bridge,
     .bridge = "status",
     .about = "What is running"},
    {.method = "GET",
     .path = "/v1/tools",
     .handler = hf_http_handle_bridge,
     .bridge = "tools",
     .about = "All tools with their schemas"},
    {.method = "POST",
     .path = "/v1/tools/{name}",
     .handler = hf_http_handle_tool,
     .where = HF_HTTP_CALL,
     .about = "Call a tool; the body is its parameters"},
    {0},
};
