/* SPDX-License-Identifier: Apache-2.0 */
/* file_write: a file with this content, whole or not at all. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"

static const char *const encodings[] = {"utf-8", "base64", NULL};

static const HfParam params[] = {
    HF_PARAM_PATH("Where: absolute, or from ~/; an existing file is replaced"),
    {.name = "content",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "What the file shall have"},
    {.name = "encoding",
     .type = HF_TYPE_STRING,
     .choices = encodings,
     .fallback = "\"utf-8\"",
     .about = "base64: the content is Base64 of bytes that are no text"},
    {.name = "create_directories",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Make the directories above it that do not exist"},
    HF_PARAM_EXPECT_HASH,
    {0},
};

static const HfParam directory_item = {
    .name = "directory", .type = HF_TYPE_STRING, .about = "Its path"};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "path",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where the file is, links followed"},
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "create, change, or none: it was so already"},
    {.name = "bytes", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its size"},
    {.name = "sha256", .type = HF_TYPE_STRING, .required = TRUE, .about = "Hash of its content"},
    {.name = "directories_made",
     .type = HF_TYPE_ARRAY,
     .items = &directory_item,
     .about = "Directories that were made for it"},
    {0},
};

const HfTool hf_tool_file_write = {
    .name = "file_write",
    .title = "Write a file",
    .summary = "Write a file as a whole: nobody ever sees half of it, and it keeps its owner and "
               "permissions. To change a part of a file use file_edit, for several files "
               "file_batch. Can be taken back with undo_last.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
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
