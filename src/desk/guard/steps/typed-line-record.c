/* SPDX-License-Identifier: Apache-2.0 */
/* What is at the prompt now? Recorded while the call still has its turn, so that no other call
 * comes in between. */
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/steps/steps.h"

void hf_step_typed_line_record(HfPassage *passage)
{
    hf_typed_lines_record(passage);
}
