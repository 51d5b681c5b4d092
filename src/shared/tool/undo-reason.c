/* SPDX-License-Identifier: Apache-2.0 */
/* What a tool hits says who would have to take it back. */
#include "shared/tool/undo-reason.h"

static const char *reason_of_target(HfTarget target)
{
    switch (target) {
    case HF_TARGET_POINT:
    case HF_TARGET_DRAG:
        return "what a click or a drag does is up to the program that gets it";
    case HF_TARGET_FOCUS:
        return "what keys and typed text do is up to the program that gets them";
    case HF_TARGET_ELEMENT:
        return "what it did to the program is not known";
    case HF_TARGET_WINDOW:
        return "the window was not seen before";
    case HF_TARGET_APP:
        return "a program that was closed does not come back as it was";
    case HF_TARGET_PROGRAM:
        return "what the program has done since is not known";
    default:
        return NULL;
    }
}

static const char *reason_of_category(HfCategory category)
{
    switch (category) {
    case HF_CATEGORY_TERMINAL:
        return "what a command has done is not known";
    case HF_CATEGORY_FILES:
        return "what the file held before was not kept";
    case HF_CATEGORY_BROWSER:
        return "what a page has done is not known";
    default:
        return "there is no way back from this tool";
    }
}

const char *hf_tool_undo_reason(const HfTool *tool)
{
    if ((tool->flags & HF_TOOL_READ_ONLY) || tool->service)
        return NULL;
    const char *reason = reason_of_target(tool->target);
    return reason ? reason : reason_of_category(tool->category);
}
