/* SPDX-License-Identifier: Apache-2.0 */
/* Input messages of a live view, and the tools that perform them. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* {"type": "mouse" | "key" | "text", "action": ..., parameters}: returns the tool, and its
 * parameters for that desktop. NULL with INVALID_PARAMS; the guard checks the tool's own
 * parameters. */
const char *hf_live_view_input_read(const json_t *message, const char *desktop, json_t **ret_params,
                                    GError **error);
/* Whether the message only moves the pointer: the last of several is enough. */
gboolean hf_live_view_input_is_motion(const json_t *message);
