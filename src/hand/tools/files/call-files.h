/* SPDX-License-Identifier: Apache-2.0 */
/* What the file tools share: the walls of their call, and one way for everything that changes
 * files, so that a dry run shows exactly what a call would do. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "hand/files/files-limits.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

HfFileWalls *hf_call_open_walls(const HfCall *call, GError **error);

/* The changes that the call asks for, by its parameters: `operations`, `old_string` or `content`.
 */
HfFileChanges *hf_call_plan_changes(const HfCall *call, const HfFileWalls *walls, GError **error);

/* Plans, keeps, applies, and notes how it is taken back: {success, path?, changes, ...}. */
HfResult *hf_call_change_files(HfCall *call, GError **error);

/* Adds to a dry run's target what would change, with the difference; or what would be read. */
gboolean hf_call_preview_files(HfCall *call, json_t *target, GError **error);

/* One entry of `changes` in a result. */
extern const HfParam hf_change_item;

#define HF_PARAM_PATH(WHAT)                                                                        \
    {                                                                                              \
        .name = "path", .type = HF_TYPE_STRING, .means = HF_MEANS_PATH, .required = TRUE,          \
        .min = 1, .max = HF_LIMIT_PATH_BYTES, .about = WHAT                                        \
    }
#define HF_PARAM_EXPECT_HASH                                                                       \
    {                                                                                              \
        .name = "expect_hash", .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 64,         \
        .max = 64,                                                                                 \
        .about = "SHA-256 of the file as you know it: refused when it has changed since"           \
    }
