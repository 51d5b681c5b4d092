/* Step 10: do it, in the hand. In test mode the result must fit the tool's description, so that a
 * description which lies cannot pass the tests. */
#include "guard/passage.h"
#include "tool/check.h"

gboolean hf_step_perform(HfPassage *passage, GError **error)
{
    HfGuard *guard = passage->guard;
    passage->errand.tool = passage->tool;
    passage->errand.params = passage->params;
    passage->errand.deadline = &passage->deadline;
    passage->performed = TRUE;
    gint64 began = g_get_monotonic_time();
    g_autoptr(HfResult) result =
        guard->perform(guard->data, passage->desktop, &passage->errand, error);
    passage->perform_us = g_get_monotonic_time() - began;
    if (!result)
        return FALSE;
    if (guard->check_results && !hf_check_result(passage->tool->result, result->json, error)) {
        g_prefix_error(error,
                       "the result of %s does not fit its description: ", passage->tool->name);
        return FALSE;
    }
    passage->answer->channel = passage->tool->channel;
    passage->answer->result = g_steal_pointer(&result);
    return TRUE;
}
