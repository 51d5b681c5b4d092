/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a request is made for the first time, where it or the owner wants that to be known. */
#pragma once

#include <jansson.h>

#include "desk/doors/bridge/nonces.h"
#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"

/* A request with "nonce" and "expires" is taken once and in time; one without is refused
 * (PRECONDITION_FAILED) where the agreement wants them of this client. Errors as hf_nonces_take,
 * and of the store. */
gboolean hf_replay_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                         const json_t *request, GError **error);
/* Whether that waits for the store. */
gboolean hf_replay_check_waits(const json_t *request);
