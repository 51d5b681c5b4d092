/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge method `stop`. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

/* Runs on the main thread, so that busy workers cannot delay it. When it returns, the guard lets
 * nothing through. The client gets {"method": "stopping"} at once, and the answer when the hands
 * have stopped and the stop is stored. */
void hf_bridge_handle_stop(HfDesk *desk, HfBridgeClient *client, const json_t *request);
