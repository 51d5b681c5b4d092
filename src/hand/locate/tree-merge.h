/* SPDX-License-Identifier: Apache-2.0 */
/* Merges what was detected in pictures and pages into the accessibility tree: one element is one
 * node. Pure. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/pixels/widgets/widgets.h"

/* A finished tree with all detections (HfDetection). Windows (HfWindow) whose programs report
 * nothing are added from what is known of them. `truncated`: why not all was detected. `reported`
 * stays as it is. */
HfTree *hf_tree_merge_detected(const HfTree *reported, const GPtrArray *windows,
                               const GArray *detected, HfTruncation truncated);
