/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a desktop a call looks at, told in the same words by all tools of this category. */
#pragma once

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/tools/resolve.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* For the parameter table. Without any of them: the window that has the focus. */
#define HF_PARAM_SCOPE                                                                             \
    HF_PARAM_WINDOW,                                                                               \
        {.name = "app",                                                                            \
         .type = HF_TYPE_STRING,                                                                   \
         .means = HF_MEANS_APP,                                                                    \
         .min = 1,                                                                                 \
         .max = HF_LIMIT_TITLE_BYTES,                                                              \
         .about = "All windows of a running application: its name, class or executable"},          \
        {.name = "pid",                                                                            \
         .type = HF_TYPE_INTEGER,                                                                  \
         .min = 2,                                                                                 \
         .max = 4194304,                                                                           \
         .about = "All windows of this process"},                                                  \
        {.name = "everything",                                                                     \
         .type = HF_TYPE_BOOLEAN,                                                                  \
         .fallback = "false",                                                                      \
         .about = "The whole desktop"},                                                            \
    {                                                                                              \
        .name = "max_ms", .type = HF_TYPE_INTEGER, .min = 1, .max = HF_LIMIT_TREE_MS,              \
        .fallback = G_STRINGIFY(HF_TREE_MS),                                                       \
        .about = "How long the programs may take to answer; what is missing then is said"          \
    }

/* What the call means. WINDOW_NOT_FOUND, APP_NOT_FOUND, ... */
gboolean hf_call_get_scope(const HfCall *call, HfTreeScope *ret_scope, GError **error);
