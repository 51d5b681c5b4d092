/* How a window is told to a caller; the same in every tool that returns one. */
#pragma once

#include "base/json.h"
#include "platform/windows.h"
#include "tool/param.h"

extern const HfParam hf_rect_fields[];
extern const HfParam hf_window_fields[];

json_t *hf_window_to_json(const HfWindow *window);
