/* SPDX-License-Identifier: Apache-2.0 */
/* What a call would hit, without doing it: the point, window, application or command, resolved as
 * the tool itself would, with a small picture in which it is marked. Changes nothing and injects
 * nothing. */
#pragma once

#include "shared/tool/call.h"

/* {"target": {...}} and the picture as "image" where there is something to point at. Fails as the
 * tool would when what is meant is not there. */
HfResult *hf_preview(HfCall *call, GError **error);
