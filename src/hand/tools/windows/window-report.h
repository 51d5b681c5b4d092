/* SPDX-License-Identifier: Apache-2.0 */
/* A window in a result, the same for every tool that returns one. */
#pragma once

#include "hand/desktop/windows.h"
#include "shared/base/json.h"
#include "shared/tool/param.h"

extern const HfParam hf_rect_fields[];
extern const HfParam hf_window_fields[];

json_t *hf_window_to_json(const HfWindow *window);
