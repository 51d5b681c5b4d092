/* SPDX-License-Identifier: Apache-2.0 */
/* Adds to an error about parameters where the tool's parameters are explained. */
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"

void hf_step_suggest_help(HfPassage *passage)
{
    GError **error = &passage->answer->error;
    if (passage->tool && *error && hf_error_code(*error) == HF_ERROR_INVALID_PARAMS &&
        !hf_error_has_suggestion(*error))
        hf_error_suggest(error, "see the tool's parameters: handfast tools %s",
                         passage->tool->name);
}
