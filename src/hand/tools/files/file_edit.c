/* SPDX-License-Identifier: Apache-2.0 */
/* file_edit: a part of a text file replaced, where it is exactly as the caller says. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"

static const HfParam params[] = {
    HF_PARAM_PATH("The file: absolute, or from ~/"),
    {.name = "old_string",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "The text to be replaced, exactly as it is in the file, and there once"},
    {.name = "new_string",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "What stands there afterwards"},
    {.name = "replace_all",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Wherever it is in the file, not only once"},
    HF_PARAM_EXPECT_HASH,
    {0},
};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "path",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where the file is, links followed"},
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "change, or none: it was so already"},
    {.name = "bytes", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its size"},
    {.name = "sha256", .type = HF_TYPE_STRING, .required = TRUE, .about = "Hash of its content"},
    {.name = "diff",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .secret = TRUE,
     .about = "What was changed, as a unified diff"},
    {.name = "diff_truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "The diff is only the beginning"},
    {0},
};

const HfTool hf_tool_file_edit = {
    .name = "file_edit",
    .title = "Edit a file",
    .summary = "Replace a part of a text file. old_string must be in the file exactly once, unless "
               "replace_all is set; the error says where it is found, or what is most like it. "
               "Encoding, byte order mark and line endings stay. Can be taken back with undo_last.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
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
