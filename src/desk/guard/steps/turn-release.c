/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the desktop to the next call in the queue. stop-recheck and perform use this too, while a
 * call waits for a person. */
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/desktop-turns.h"

void hf_step_turn_release(HfPassage *passage)
{
    if (passage->turn)
        hf_desktop_turns_leave(passage->guard->turns, g_steal_pointer(&passage->turn));
}
