/* SPDX-License-Identifier: Apache-2.0 */
/* `events.subscribe` and `events.unsubscribe`: events as notifications on the connection that asked
 * for them. Answered on the main thread, as what they change lives there. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

/* FALSE: it is another method. */
gboolean hf_bridge_handle_events(HfDesk *desk, HfBridgeClient *client, const json_t *request);

/* What it takes. */
extern const HfParam hf_bridge_subscribe_params[];
