/* SPDX-License-Identifier: Apache-2.0 */
/* Which running application a call means: parameters and lookup. */
#pragma once

#include "hand/apps/running-apps.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* For the parameter table of a tool that works on a running application. */
#define HF_PARAM_APP                                                                               \
    HF_STRING("name", "Name of a running application, its class or its executable, in any case",   \
              .means = HF_MEANS_APP, .min = 1, .max = HF_LIMIT_TITLE_BYTES),                       \
        HF_INTEGER("pid", "Its process id, instead of the name or to tell several apart",          \
                   .min = 2, .max = 4194304)

/* `single`: fails when several match. Borrowed from `apps`. */
const HfRunningApp *hf_call_get_app(const HfCall *call, const HfRunningApps *apps, gboolean single,
                                    GError **error);
