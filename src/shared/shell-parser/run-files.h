/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a script runs or sources, so that an approval can be bound to their content. It only
 * names candidates: whoever knows the directory and the files finds out which of them exist. */
#pragma once

#include "shared/shell-parser/shell-script.h"

typedef struct HfRunFiles {
    GPtrArray *names;       /* char: paths as the text has them, or bare names for PATH */
    GPtrArray *directories; /* char: where the text changes its directory to, in order */
} HfRunFiles;

/* Never NULL. Names that are known only when the command runs are left out. */
HfRunFiles *hf_run_files_of_script(const HfScript *script);
void hf_run_files_free(HfRunFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRunFiles, hf_run_files_free)
