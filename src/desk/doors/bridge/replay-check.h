/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses replayed requests, where the request or the owner asks for the check. */
#pragma once

#include <jansson.h>

#include "desk/doors/bridge/nonces.h"
#include "desk/guard/policy/caller.h"
#include "desk/policy/config/config.h"

/* A request with "nonce" and "expires" is accepted once and before it expires. A request without
 * them is refused (PRECONDITION_FAILED) when the config requires them of this client. Other errors:
 * those of hf_nonces_take and of the store. */
gboolean hf_replay_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                         const json_t *request, GError **error);
/* Whether the check waits for the store. */
gboolean hf_replay_check_waits(const json_t *request);
