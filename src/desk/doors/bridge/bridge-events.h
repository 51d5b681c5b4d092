/* SPDX-License-Identifier: Apache-2.0 */
/* `events.subscribe` and `events.unsubscribe`: events as notifications on the connection that
 * subscribed. Handled on the main thread, where the subscription lives. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/bridge/bridge-client.h"

/* FALSE for any other method. */
gboolean hf_bridge_handle_events(HfDesk *desk, HfBridgeClient *client, const json_t *request);

/* The parameters of events.subscribe. */
extern const HfParam hf_bridge_subscribe_params[];
