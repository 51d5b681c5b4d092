/* SPDX-License-Identifier: Apache-2.0 */
/* The method `stop` of the bridge. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

/* On the main thread, so that no number of busy workers can keep it waiting: from its return on
 * nothing is let through. The client is told {"method": "stopping"} at once, and answered when
 * hands have braked and the stop will outlive the desk. */
void hf_bridge_handle_stop(HfDesk *desk, HfBridgeClient *client, const json_t *request);
