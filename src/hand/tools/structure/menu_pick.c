/* SPDX-License-Identifier: Apache-2.0 */
/* menu_pick: picks a menu entry by its path of names: in a window's menu bar, in the menu of a
 * button, or in the context menu of an element. */
#include "hand/atspi/act/menu.h"
#include "hand/atspi/act/modal-dialog.h"
#include "hand/tools/structure/call-element.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* A list of one name is a path too: the command line sends it so. */
static char **dup_menu_path(const HfCall *call, GError **error)
{
    const json_t *path = hf_call_json(call, "path");
    if (json_array_size(path) == 1)
        path = json_array_get(path, 0);
    g_auto(GStrv) names = json_is_string(path) ? hf_menu_split_path(json_string_value(path))
                                               : hf_call_dup_strings(call, "path");
    if (names && *names)
        return g_steal_pointer(&names);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "path: is empty; give at least one entry, such as 'File > Save'");
    return NULL;
}

static HfResult *menu_pick_to_result(const HfMenuPick *pick)
{
    json_t *names = json_array();
    for (char **name = pick->path; *name; name++)
        json_array_append_new(names, hf_json_text(*name));
    return hf_result_new(json_pack("{s:b, s:o, s:o, s:s}", "success", TRUE, "path", names, "picked",
                                   hf_json_text(pick->picked), "channel",
                                   hf_act_method_name(pick->way)));
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(GStrv) path = dup_menu_path(call, error);
    HfTreeScope scope = {0};
    if (!path || !hf_call_get_scope(call, &scope, error))
        return NULL;
    g_autoptr(HfElement) element = NULL;
    if (hf_call_has(call, "target")) {
        element = hf_call_get_element(call, FALSE, error);
        if (!element)
            return NULL;
    }
    g_auto(HfMenuPick) pick = {
        .context = hf_call_context(call),
        .window = element ? element->window : scope.window,
        .pid = element ? element->pid : scope.pid,
        .path = path,
        .element = element,
        .deadline = hf_call_deadline(call),
    };
    if (!hf_modal_check(hf_call_desktop(call), pick.window, error))
        return NULL;
    return hf_menu_pick(&pick, error) ? menu_pick_to_result(&pick) : NULL;
}

static const HfParam name = {
    .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_TITLE_BYTES};
static const HfParam params[] = {
    HF_REQUIRED("path", HF_TYPE_ARRAY,
                "The names, outermost menu first: \"File > Save As...\" or [\"File\", \"Save "
                "As...\"]; case and dots at the end are ignored",
                .items = &name, .also = &name, .means = HF_MEANS_PLAIN, .min = 1, .max = 16),
    HF_PARAM_TARGET("target", "A selector of a button that opens a menu, or of an element with a "
                              "context menu, instead of the menu bar"),
    HF_PARAM_WHERE,
    {0},
};

static const char *const ways[] = {"structure", "pixels", NULL};
static const HfParam result[] = {
    HF_RESULT_SUCCESS,
    HF_REQUIRED("path", HF_TYPE_ARRAY, "The names that were followed", .items = &hf_text_item),
    HF_REQUIRED("picked", HF_TYPE_STRING, "The entry's name in the program"),
    HF_REQUIRED(
        "channel", HF_TYPE_STRING,
        "structure: by an accessibility call, without opening the menu; pixels: by pointer or keys",
        .choices = ways),
    {0},
};

const HfTool hf_tool_menu_pick = {
    .name = "menu_pick",
    .title = "Pick from a menu",
    .summary = "Pick a menu entry by its path, such as 'File > Save As...': in the menu bar of the "
               "focused or named window, or in the menu of target. If there is no such entry, "
               "details list the existing ones, and opened menus are closed",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FOCUS,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
