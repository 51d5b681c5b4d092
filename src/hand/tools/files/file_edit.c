/* SPDX-License-Identifier: Apache-2.0 */
/* file_edit: replaces a part of a text file that is exactly as the caller says. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"

static const HfParam params[] = {
    HF_PARAM_PATH("The file: absolute, or from ~/"),
    HF_STRING("old_string",
              "The text to replace, exactly as in the file; it must occur exactly once",
              .required = TRUE, .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_STRING("new_string", "The replacement", .required = TRUE, .means = HF_MEANS_PLAIN, .min = 0,
              .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_BOOLEAN("replace_all", "Replace every occurrence", .fallback = "false"),
    HF_PARAM_EXPECT_HASH,
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_STRING("path", "Path of the file, with links resolved", .required = TRUE, .written = TRUE),
    HF_STRING("action", "change, or none when the content was the same already", .required = TRUE),
    HF_INTEGER("bytes", "Its size", .required = TRUE),
    HF_STRING("sha256", "Hash of its content", .required = TRUE),
    HF_STRING("diff", "The change as a unified diff", .required = TRUE, .secret = TRUE),
    HF_BOOLEAN("diff_truncated", "Only the beginning of the diff is returned", .required = TRUE),
    {0},
};

const HfTool hf_tool_file_edit = {
    .name = "file_edit",
    .title = "Edit a file",
    .summary = "Replace a part of a text file. old_string must occur exactly once, unless "
               "replace_all is set; the error says where it occurs, or what is most similar. "
               "Encoding, byte order mark and line endings stay. undo_last reverts it.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
    .level = HF_LEVEL_ELEVATED,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_FILE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = hf_call_change_files,
};
