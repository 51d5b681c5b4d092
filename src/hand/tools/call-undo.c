/* SPDX-License-Identifier: Apache-2.0 */
/* The undo entries that several tools share. */
#include "hand/tools/call-undo.h"

void hf_call_refuse_undo(HfCall *call, const char *why)
{
    if (hf_call_wants_undo(call))
        hf_call_take_undo(call, json_pack("{s:s}", "none", why));
}

guint32 hf_call_note_focus(HfCall *call)
{
    if (!hf_call_wants_undo(call))
        return 0;
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    return focused ? focused->id : 0;
}

void hf_call_undo_focus(HfCall *call, guint32 before, guint32 window)
{
    if (!hf_call_wants_undo(call))
        return;
    if (before == 0 || before == window)
        hf_call_refuse_undo(call, before ? HF_UNDO_NOTHING : "no window had the focus before");
    else
        hf_call_take_undo(call, json_pack("{s:s, s:{s:I}, s:{s:I}}", "tool", "window_focus",
                                          "params", "window_id", (json_int_t)before, "expect",
                                          "focused", (json_int_t)window));
}
