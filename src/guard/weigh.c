/* Step 5: how dangerous. The tool's own risk, which nothing lowers. */
#include "guard/passage.h"

gboolean hf_step_weigh(HfPassage *passage, GError **error)
{
    passage->risk = passage->tool->risk;
    passage->rules = json_array();
    return TRUE;
}
