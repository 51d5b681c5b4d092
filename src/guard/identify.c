/* Step 1: who is calling. The owner's own processes on this machine, and nobody else yet. */
#include <unistd.h>

#include "guard/passage.h"

gboolean hf_step_identify(HfPassage *passage, GError **error)
{
    const HfCaller *caller = passage->request->caller;
    if (caller->uid == geteuid())
        return TRUE;
    return hf_fail(error, HF_ERROR_UNAUTHENTICATED, "user %u does not own this desk",
                   (unsigned)caller->uid);
}
