/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a call would run, with their hashes: the owner approves their content, and only
 * that content is run (HfTool.inspect). */
#pragma once

#include "shared/shell-parser/shell-script.h"
#include "shared/tool/call.h"

/* [{"path", "sha256", "content"?}] of the files that the script runs or sources, and of those that
 * they source in turn; "sha256" is "" where no file is. `directory` is where it runs. The content
 * is its beginning, without secrets, of files that the call's walls let its caller read. */
json_t *hf_run_files_hash(const HfCall *call, const HfScript *script, const char *directory);
/* One hash for all of them; `more` counts as well, and may be NULL. NULL: there is nothing. */
char *hf_run_files_dup_digest(const json_t *files, const char *more);
/* PRECONDITION_FAILED if the guard has judged something else than `digest`, which is of `files`. */
gboolean hf_run_files_check(const HfCall *call, const json_t *files, const char *digest,
                            GError **error);
