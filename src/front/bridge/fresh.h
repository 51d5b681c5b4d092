/* Whether a request is made for the first time, where it or the owner wants that to be known. */
#pragma once

#include <jansson.h>

#include "config/config.h"
#include "guard/caller.h"
#include "guard/nonces.h"

/* A request with "nonce" and "expires" is taken once and in time; one without is refused
 * (PRECONDITION_FAILED) where the agreement wants them of this client. Errors as hf_nonces_take,
 * and of the store. */
gboolean hf_fresh_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                        const json_t *request, GError **error);
/* Whether that waits for the store. */
gboolean hf_fresh_waits(const json_t *request);
