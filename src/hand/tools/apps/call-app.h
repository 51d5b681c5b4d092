/* SPDX-License-Identifier: Apache-2.0 */
/* Which running application a call means. */
#pragma once

#include "hand/apps/running-apps.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* For the parameter table of a tool that works on a running application. */
#define HF_PARAM_APP                                                                               \
    {.name = "name",                                                                               \
     .type = HF_TYPE_STRING,                                                                       \
     .means = HF_MEANS_APP,                                                                        \
     .min = 1,                                                                                     \
     .max = HF_LIMIT_TITLE_BYTES,                                                                  \
     .about = "Name of a running application, its class or its executable, in any case"},          \
    {                                                                                              \
        .name = "pid", .type = HF_TYPE_INTEGER, .min = 2, .max = 4194304,                          \
        .about = "Its process, instead of the name or to tell several apart"                       \
    }

/* `single`: never the first of several. Borrowed from `apps`. */
const HfRunningApp *hf_call_get_app(const HfCall *call, const HfRunningApps *apps, gboolean single,
                                    GError **error);
