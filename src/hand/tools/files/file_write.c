/* SPDX-License-Identifier: Apache-2.0 */
/* file_write: writes a whole file or nothing. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"

static const HfParam params[] = {
    HF_PARAM_PATH("Path of the file: absolute, or from ~/; an existing file is replaced"),
    HF_STRING("content", "The content of the file", .required = TRUE, .means = HF_MEANS_PLAIN,
              .min = 0, .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_STRING("encoding", "base64: the content is Base64 of binary data",
              .choices = hf_file_encodings, .fallback = "\"utf-8\""),
    HF_BOOLEAN("create_directories", "Create missing parent directories", .fallback = "false"),
    HF_PARAM_EXPECT_HASH,
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_STRING("path", "Path of the file, with links resolved", .required = TRUE, .written = TRUE),
    HF_STRING("action", "create, change, or none when the content was the same already",
              .required = TRUE),
    HF_INTEGER("bytes", "Its size", .required = TRUE),
    HF_STRING("sha256", "Hash of its content", .required = TRUE),
    HF_ARRAY("directories_made", "Directories that were created for it",
             .items = &hf_directory_item),
    {0},
};

const HfTool hf_tool_file_write = {
    .name = "file_write",
    .title = "Write a file",
    .summary = "Write a whole file atomically; it keeps its owner and permissions. To change a "
               "part of a file use file_edit, for several files file_batch. undo_last reverts it.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
    .level = HF_LEVEL_ELEVATED,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_IDEMPOTENT | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = hf_call_change_files,
};
