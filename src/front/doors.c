/* The order matters at the end: doors are shut, their work ends, then they go. */
#include "front/doors.h"

#include "base/paths.h"
#include "front/bridge/bridge.h"
#include "front/mcp/server.h"

struct HfDoors {
    HfWorkers *workers;
    HfMcpServer *mcp;
    HfBridge *bridge;
};

HfDoors *hf_doors_open(HfDesk *desk, GError **error)
{
    g_autofree char *path = hf_path_dup_bridge();
    g_autoptr(HfDoors) doors = g_new0(HfDoors, 1);
    doors->workers = hf_workers_new();
    doors->mcp = hf_mcp_server_new(desk, doors->workers);
    doors->bridge = hf_bridge_new(desk, doors->workers, doors->mcp, path, error);
    return doors->bridge ? g_steal_pointer(&doors) : NULL;
}

void hf_doors_close(HfDoors *doors)
{
    if (!doors)
        return;
    if (doors->bridge)
        hf_bridge_shut(doors->bridge);
    hf_workers_free(doors->workers);
    hf_bridge_free(doors->bridge);
    hf_mcp_server_free(doors->mcp);
    g_free(doors);
}
