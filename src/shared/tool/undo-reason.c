/* SPDX-License-Identifier: Apache-2.0 */
/* What a tool affects decides why it cannot be undone. */
#include "shared/tool/undo-reason.h"

static const char *reason_of_target(HfTarget target)
{
    switch (target) {
    case HF_TARGET_POINT:
    case HF_TARGET_DRAG:
        return "the program decides what a click or a drag does";
    case HF_TARGET_FOCUS:
        return "the program decides what keys and typed text do";
    case HF_TARGET_ELEMENT:
        return "its effect on the program is not known";
    case HF_TARGET_WINDOW:
        return "the earlier state of the window is not known";
    case HF_TARGET_APP:
        return "a closed program cannot be restored as it was";
    case HF_TARGET_PROGRAM:
        return "what the program did since then is not known";
    default:
        return NULL;
    }
}

static const char *reason_of_category(HfCategory category)
{
    switch (category) {
    case HF_CATEGORY_TERMINAL:
        return "what the command did is not known";
    case HF_CATEGORY_FILES:
        return "the earlier content of the file was not kept";
    case HF_CATEGORY_BROWSER:
        return "what the page did is not known";
    default:
        return "this tool has no undo";
    }
}

const char *hf_tool_undo_reason(const HfTool *tool)
{
    if ((tool->flags & HF_TOOL_READ_ONLY) || tool->service)
        return NULL;
    const char *reason = reason_of_target(tool->target);
    return reason ? reason : reason_of_category(tool->category);
}
