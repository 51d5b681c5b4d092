/* SPDX-License-Identifier: Apache-2.0 */
/* file_batch: many changes of files, all of them or none. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/limits.h"

static const char *const operations[] = {"write", "edit",  "create",  "delete",
                                         "move",  "mkdir", "restore", NULL};
static const char *const encodings[] = {"utf-8", "base64", NULL};

static const HfParam operation_fields[] = {
    {.name = "op",
     .type = HF_TYPE_STRING,
     .choices = operations,
     .required = TRUE,
     .about = "write: with content; create: the same, only if nothing is there; edit: old_string "
              "by new_string; delete: a file or an empty directory; move: a file, to; mkdir: a "
              "directory; restore: for undo"},
    HF_PARAM_PATH("The file: absolute, or from ~/"),
    {.name = "to",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PATH,
     .min = 1,
     .max = HF_LIMIT_PATH_BYTES,
     .about = "move: its new path"},
    {.name = "content",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 0,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "write, create: what the file shall have"},
    {.name = "encoding",
     .type = HF_TYPE_STRING,
     .choices = encodings,
     .about = "base64: the content is Base64 of bytes"},
    {.name = "old_string",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "edit: the text to be replaced, there once"},
    {.name = "new_string",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 0,
     .max = HF_LIMIT_FILE_TEXT_BYTES,
     .about = "edit: what stands there afterwards"},
    {.name = "replace_all", .type = HF_TYPE_BOOLEAN, .about = "edit: wherever it is in the file"},
    {.name = "if_empty",
     .type = HF_TYPE_BOOLEAN,
     .about = "delete: a directory that is not empty stays, and that is no error"},
    {.name = "if_there",
     .type = HF_TYPE_BOOLEAN,
     .about = "delete: one that is gone already is no error"},
    HF_PARAM_EXPECT_HASH,
    {.name = "kept",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .max = 256,
     .about = "restore: what undo_last knows the old content by"},
    {0},
};
static const HfParam operation = {
    .name = "operation", .type = HF_TYPE_OBJECT, .fields = operation_fields, .about = "One change"};

static const HfParam params[] = {
    {.name = "operations",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &operation,
     .min = 1,
     .max = HF_LIMIT_BATCH,
     .about = "The changes, in order; each sees what those before it do"},
    {.name = "create_directories",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Make the directories above new files that do not exist"},
    {0},
};

static const HfParam directory_item = {
    .name = "directory", .type = HF_TYPE_STRING, .about = "Its path"};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "changes",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &hf_change_item,
     .about = "What became of each file"},
    {.name = "directories_made",
     .type = HF_TYPE_ARRAY,
     .items = &directory_item,
     .about = "Directories that were made on the way"},
    {.name = "directories_left",
     .type = HF_TYPE_ARRAY,
     .items = &directory_item,
     .about = "Directories that were to go, in which something has appeared meanwhile"},
    {.name = "diff",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .secret = TRUE,
     .about = "All that was changed, as one unified diff"},
    {.name = "diff_truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "The diff is only the beginning"},
    {0},
};

const HfTool hf_tool_file_batch = {
    .name = "file_batch",
    .title = "Change several files",
    .summary = "Write, edit, create, delete and move files in one step: all of it is done or "
               "nothing, also when the machine stops in the midst. Use dry_run to see the whole "
               "difference first. Can be taken back with undo_last.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
    .level = HF_LEVEL_ELEVATED,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_FILE,
    .effects = HF_EFFECT_DELETES,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 60000,
    .params = params,
    .result = result,
    .run = hf_call_change_files,
};
