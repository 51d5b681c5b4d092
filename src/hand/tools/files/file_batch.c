/* SPDX-License-Identifier: Apache-2.0 */
/* file_batch: changes several files, all of them or none. */
#include "hand/files/files-limits.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/limits.h"

static const char *const operations[] = {"write", "edit",  "create",  "delete",
                                         "move",  "mkdir", "restore", NULL};

static const HfParam operation_fields[] = {
    HF_STRING("op",
              "write: set the content; create: the same, but only if nothing is there; edit: "
              "replace old_string by new_string; delete: a file or an empty directory; move: move "
              "a file to `to`; mkdir: make a directory; restore: for undo",
              .required = TRUE, .choices = operations),
    HF_PARAM_PATH("The file: absolute, or from ~/"),
    HF_STRING("to", "move: its new path", .means = HF_MEANS_PATH, .min = 1,
              .max = HF_LIMIT_PATH_BYTES),
    HF_STRING("content", "write, create: the new content", .means = HF_MEANS_PLAIN, .min = 0,
              .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_STRING("encoding", "base64: the content is Base64 of binary data",
              .choices = hf_file_encodings),
    HF_STRING("old_string", "edit: the text to replace; it must occur exactly once",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_STRING("new_string", "edit: the replacement", .means = HF_MEANS_PLAIN, .min = 0,
              .max = HF_LIMIT_FILE_TEXT_BYTES),
    HF_BOOLEAN("replace_all", "edit: replace every occurrence"),
    HF_BOOLEAN("if_empty", "delete: keep a directory that is not empty, without an error"),
    HF_BOOLEAN("if_there", "delete: no error when it does not exist"),
    HF_PARAM_EXPECT_HASH,
    HF_STRING("kept", "restore: the key under which undo_last has the old content",
              .means = HF_MEANS_PLAIN, .max = 256),
    {0},
};
static const HfParam operation = HF_OBJECT("operation", "One change", .fields = operation_fields);

static const HfParam params[] = {
    HF_ARRAY("operations", "The changes, in order; each sees the result of those before it",
             .required = TRUE, .items = &operation, .min = 1, .max = HF_LIMIT_BATCH),
    HF_BOOLEAN("create_directories", "Create missing parent directories of new files",
               .fallback = "false"),
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_ARRAY("changes", "What changed, for each file", .required = TRUE, .items = &hf_change_item),
    HF_ARRAY("directories_made", "Directories that were created", .items = &hf_directory_item),
    HF_ARRAY("directories_left",
             "Directories that were not deleted, because something appeared in them meanwhile",
             .items = &hf_directory_item),
    HF_STRING("diff", "All changes as one unified diff", .required = TRUE, .secret = TRUE),
    HF_BOOLEAN("diff_truncated", "Only the beginning of the diff is returned", .required = TRUE),
    {0},
};

const HfTool hf_tool_file_batch = {
    .name = "file_batch",
    .title = "Change several files",
    .summary =
        "Write, edit, create, delete and move files in one step: all changes are made or none, "
        "even if the machine crashes. Use dry_run to see the diff first. undo_last reverts it.",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
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
