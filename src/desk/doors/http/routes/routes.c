/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the route tables and finds the route of a path. */
#include "desk/doors/http/routes/routes.h"

#include "desk/doors/http/server/url-path.h"

const HfHttpRoute *const hf_http_route_tables[] = {
    hf_http_v1_routes,        hf_http_mcp_routes,      hf_http_events_routes,
    hf_http_live_view_routes, hf_http_executor_routes, NULL,
};

const HfHttpRoute *hf_http_route_at(const char *path)
{
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++) {
            g_autoptr(GPtrArray) values = hf_http_path_match(route->path, path);
            if (values)
                return route;
        }
    return NULL;
}

static gboolean route_takes_method(const HfHttpRoute *route, const char *method)
{
    return g_str_equal(route->method, method) ||
           (g_str_equal(route->method, "GET") && g_str_equal(method, "HEAD"));
}

const HfHttpRoute *hf_http_route_find(const char *method, const char *path, GPtrArray **ret_values,
                                      char **ret_allow)
{
    g_autoptr(GString) allow = g_string_new(NULL);
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++) {
            g_autoptr(GPtrArray) values = hf_http_path_match(route->path, path);
            if (values && route_takes_method(route, method)) {
                *ret_values = g_steal_pointer(&values);
                return route;
            }
            if (values)
                g_string_append_printf(allow, "%s%s", allow->len ? ", " : "", route->method);
        }
    *ret_allow = allow->len ? g_string_free(g_steal_pointer(&allow), FALSE) : NULL;
    return NULL;
}
