/* The method `stop` of the bridge. */
#pragma once

#include "desk/desk.h"
#include "front/bridge/client.h"

/* On the main thread, so that no number of busy workers can keep it waiting: from its return on
 * nothing is let through. The client is told {"method": "stopping"} at once, and answered when
 * hands have braked and the stop will outlive the desk. */
void hf_bridge_stop(HfDesk *desk, HfBridgeClient *client, const json_t *request);
