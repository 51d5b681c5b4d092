/* SPDX-License-Identifier: Apache-2.0 */
/* A dry run: reports the point, window, application or command that a call would act on, resolved
 * as the tool itself resolves it, with a small picture that marks it. Changes nothing and sends no
 * input. */
#pragma once

#include "shared/tool/call.h"

/* {"target": {...}}, and the picture as "image" if there is a place to mark. Fails like the tool
 * when the target does not exist. */
HfResult *hf_preview(HfCall *call, GError **error);
