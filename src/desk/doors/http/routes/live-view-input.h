/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a live view that are a person's input, and the tools that do it. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* {"type": "mouse" | "key" | "text", "action": ..., and what the tool takes}: the tool, and its
 * parameters for that desktop. NULL with INVALID_PARAMS; the tool's own parameters are for the
 * guard to check. */
const char *hf_live_view_input_read(const json_t *message, const char *desktop, json_t **ret_params,
                                    GError **error);
/* Only where the pointer is: the last of many is enough. */
gboolean hf_live_view_input_is_motion(const json_t *message);
