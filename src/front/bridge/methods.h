/* What can be asked on the bridge. */
#pragma once

#include "desk/desk.h"
#include "front/bridge/client.h"

/* One request; NULL for a method that does not exist. The answer is an object of the one shape
 * {ok, result | error}, as text. Runs on a worker thread. */
typedef void (*HfBridgeMethod)(HfDesk *desk, const HfCaller *caller, json_t *params,
                               GCancellable *cancellable, GString *answer);

HfBridgeMethod hf_bridge_method_find(const char *name);
