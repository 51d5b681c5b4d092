/* SPDX-License-Identifier: Apache-2.0 */
/* What the file tools share: the walls of a call, and one path for all changes of files, so that a
 * dry run shows exactly what a call would do. */
#pragma once

#include "hand/files/change/file-changes.h"
#include "hand/files/files-limits.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

HfFileWalls *hf_call_open_walls(const HfCall *call, GError **error);

/* Plans the changes that `operations`, `old_string` or `content` ask for, saves the old content,
 * applies them and records the undo: {success, path?, changes, ...}. */
HfResult *hf_call_change_files(HfCall *call, GError **error);

/* Adds to a dry run's target what would change, with the diff, or what would be read. */
gboolean hf_call_preview_files(HfCall *call, json_t *target, GError **error);

/* One entry of `changes` in a result, and of `directories_made` and `directories_left`. */
extern const HfParam hf_change_item;
extern const HfParam hf_directory_item;
/* Of the parameter `content`. */
extern const char *const hf_file_encodings[];

#define HF_PARAM_PATH(WHAT)                                                                        \
    HF_STRING("path", WHAT, .means = HF_MEANS_PATH, .required = TRUE, .min = 1,                    \
              .max = HF_LIMIT_PATH_BYTES)
#define HF_PARAM_EXPECT_HASH                                                                       \
    HF_STRING(                                                                                     \
        "expect_hash",                                                                             \
        "SHA-256 of the file as you know it: the call is refused when the file has changed since", \
        .means = HF_MEANS_PLAIN, .min = 64, .max = 64)
