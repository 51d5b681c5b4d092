/* SPDX-License-Identifier: Apache-2.0 */
/* Live views of the screen: what each watcher has been shown, so that it gets only what has changed
 * since. */
#pragma once

#include "shared/tool/call.h"

typedef struct HfViews HfViews;

HfViews *hf_live_views_new(void);
void hf_live_views_free(HfViews *views);

/* The next picture for the view `id`, whose watcher has been shown `frame` (0: nothing). The call
 * is a screenshot's. {"frame", "width", "height", "unchanged"}; what has changed is in the
 * attachment "tiles", in the format of docs/stream.md. */
HfResult *hf_live_views_next(HfViews *views, const HfCall *call, const char *id, guint frame,
                             GError **error);
