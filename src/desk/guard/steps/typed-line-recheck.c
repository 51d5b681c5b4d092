/* SPDX-License-Identifier: Apache-2.0 */
/* Would Enter still run the line that was judged? Others may have typed while the call waited. Now
 * the call has its turn, so the line stays as it is. */
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_typed_line_recheck(HfPassage *passage, GError **error)
{
    return hf_typed_lines_recheck(passage, error);
}
