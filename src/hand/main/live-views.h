/* SPDX-License-Identifier: Apache-2.0 */
/* Live views of the screen. Remembers what each viewer was sent, so that it gets only changes. */
#pragma once

#include "shared/tool/call.h"

typedef struct HfLiveViews HfLiveViews;

HfLiveViews *hf_live_views_new(void);
void hf_live_views_free(HfLiveViews *views);

/* The next picture for the view `id`, whose viewer has `frame` (0: nothing). The call is a
 * screenshot. Returns {"frame", "width", "height", "unchanged"}; the changes are in the attachment
 * "tiles", in the format of docs/stream.md. */
HfResult *hf_live_views_next(HfLiveViews *views, const HfCall *call, const char *id, guint frame,
                             GError **error);
