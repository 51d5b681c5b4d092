/* SPDX-License-Identifier: Apache-2.0 */
/* ui_describe: lists the elements of a window, an application or the desktop, as their programs
 * report them on the accessibility bus. Changes nothing; says when elements are missing. */
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/tools/structure/call-element.h"
#include "shared/base/json.h"

/* Containers without a name tell a caller nothing. */
static gboolean is_worth_listing(const HfNode *node)
{
    if (node->name || node->value || hf_states_have(node->states, HF_STATE_FOCUSABLE))
        return TRUE;
    switch (node->role) {
    case HF_ROLE_FILLER:
    case HF_ROLE_GROUPING:
    case HF_ROLE_PANEL:
    case HF_ROLE_REDUNDANT_OBJECT:
    case HF_ROLE_SCROLL_PANE:
    case HF_ROLE_SECTION:
    case HF_ROLE_SEPARATOR:
    case HF_ROLE_UNKNOWN:
    case HF_ROLE_VIEWPORT:
        return FALSE;
    default:
        return TRUE;
    }
}

/* Names the elements of one snapshot. */
typedef struct Naming {
    HfReferences *references;
    guint snapshot;
} Naming;

static guint name_described_element(gpointer data, int index)
{
    const Naming *naming = data;
    return hf_references_name(naming->references, naming->snapshot, index);
}

/* Depth counts only listed elements, so that the list reads as an outline. */
static json_t *elements_to_json(const HfTree *tree, gboolean all, const HfElementStyle *style)
{
    json_t *list = json_array();
    g_autofree int *depths = g_new0(int, hf_tree_size(tree) + 1);
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        int depth = node->parent == HF_NODE_NONE ? 0 : depths[node->parent];
        gboolean listed = all || is_worth_listing(node);
        depths[i] = depth + (listed ? 1 : 0);
        if (!listed)
            continue;
        json_t *json = hf_element_to_json(tree, i, style);
        json_object_set_new(json, "depth", json_integer(depth));
        json_object_set_new(json, "bounds", hf_json_rect(node->bounds)); /* all 0: none */
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *programs_to_json(const HfTree *tree)
{
    json_t *list = json_array();
    for (int i = 0; i < hf_tree_programs(tree); i++) {
        const HfTreeProgram *program = hf_tree_get_program(tree, i);
        json_array_append_new(list, json_pack("{s:o, s:i, s:o, s:o, s:o}", "name",
                                              hf_json_text(program->name), "pid", program->pid,
                                              "toolkit", hf_json_text(program->toolkit), "version",
                                              hf_json_text(program->version), "truncated",
                                              hf_truncation_to_json(program->truncated)));
    }
    return list;
}

static HfResult *run(HfCall *call, GError **error)
{
    HfTreeScope scope;
    if (!hf_call_get_scope(call, &scope, error))
        return NULL;
    scope.include_text = hf_call_bool(call, "include_text");
    scope.include_hidden = hf_call_bool(call, "include_hidden");
    gint64 began = g_get_monotonic_time();
    g_autoptr(HfTree) tree =
        hf_tree_read(hf_call_context(call), &scope, hf_call_deadline(call), error);
    if (!tree)
        return NULL;
    gint64 took = (g_get_monotonic_time() - began) / 1000;
    Naming naming = {hf_atspi_references(hf_call_desktop(call)), 0};
    naming.snapshot = hf_references_add_snapshot(naming.references, tree);
    HfElementStyle style = {.name = name_described_element,
                            .data = &naming,
                            .values = scope.include_text,
                            .hidden = scope.include_hidden};
    gboolean lines = strcmp(hf_call_string(call, "format"), "lines") == 0;
    HfResult *result = hf_result_new(
        json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:I}", "snapshot_id",
                  json_sprintf("s%u", naming.snapshot), "elements",
                  lines ? json_array()
                        : elements_to_json(tree, hf_call_bool(call, "include_containers"), &style),
                  "truncated", hf_truncation_to_json(hf_tree_get_truncated(tree)), "programs",
                  programs_to_json(tree), "nodes", hf_tree_size(tree), "calls",
                  (int)hf_tree_calls(tree), "took_ms", (json_int_t)took));
    if (lines) {
        g_autofree char *text =
            hf_elements_to_text(tree, 0, hf_tree_size(tree), &style, NULL, NULL);
        json_object_set_new(result->json, "lines", json_string(text));
    }
    return result;
}

static const char *const formats[] = {"objects", "lines", NULL};

static const HfParam params[] = {
    HF_PARAM_SCOPE,
    HF_OPTIONAL("max_depth", HF_TYPE_INTEGER, "Maximum depth below a window", .min = 1,
                .max = HF_LIMIT_TREE_DEPTH),
    HF_OPTIONAL("max_nodes", HF_TYPE_INTEGER, "How many elements are read at most", .min = 1,
                .max = HF_LIMIT_TREE_NODES, .fallback = G_STRINGIFY(HF_TREE_NODES)),
    HF_OPTIONAL("include_text", HF_TYPE_BOOLEAN,
                "Include the values of fields, sliders and the like", .fallback = "false"),
    HF_OPTIONAL("include_hidden", HF_TYPE_BOOLEAN,
                "Include what is not visible: closed menus, other pages", .fallback = "false"),
    HF_OPTIONAL(
        "format", HF_TYPE_STRING,
        "lines: one short line per element, for models: e12 button \"Save\" 120,44 80x24 focused",
        .choices = formats, .fallback = "\"objects\""),
    HF_OPTIONAL("include_containers", HF_TYPE_BOOLEAN, "Include containers without a name",
                .fallback = "false"),
    {0},
};

static const HfParam element = {.type = HF_TYPE_OBJECT, .fields = hf_outline_fields};

static const HfParam program_fields[] = {
    HF_REQUIRED("name", HF_TYPE_STRING, "Its name for itself"),
    HF_REQUIRED("pid", HF_TYPE_INTEGER, "Its process; 0: unknown"),
    HF_REQUIRED("toolkit", HF_TYPE_STRING, "Its toolkit"),
    HF_REQUIRED("version", HF_TYPE_STRING, "Version of the toolkit"),
    HF_REQUIRED("truncated", HF_TYPE_ARRAY,
                "Why elements of it may be missing; program: it does not answer",
                .items = &hf_text_item),
    {0},
};
static const HfParam program = {.type = HF_TYPE_OBJECT, .fields = program_fields};

static const HfParam result[] = {
    HF_OPTIONAL("snapshot_id", HF_TYPE_STRING,
                "The snapshot that the references belong to; 30 seconds and 50 uses"),
    HF_OPTIONAL("lines", HF_TYPE_STRING, "The elements, with the format lines"),
    HF_REQUIRED("elements", HF_TYPE_ARRAY,
                "An outline: each element is followed by those inside it", .items = &element),
    HF_RESULT_TRUNCATED,
    HF_REQUIRED("programs", HF_TYPE_ARRAY, "The programs that were asked", .items = &program),
    HF_REQUIRED("nodes", HF_TYPE_INTEGER,
                "How many elements were read, including those that are not listed"),
    HF_REQUIRED("calls", HF_TYPE_INTEGER,
                "How many requests the programs had to answer: almost none if nothing has changed"),
    HF_REQUIRED("took_ms", HF_TYPE_INTEGER, "Milliseconds"),
    {0},
};

static const char *const aliases[] = {"dump_ax_tree", NULL};

const HfTool hf_tool_ui_describe = {
    .name = "ui_describe",
    .title = "Describe the user interface",
    .summary = "List the elements of the focused window (or of another one, an application, or "
               "everything): role, name, state, position on the screen, possible actions. Exact if "
               "the program reports its elements; programs that paint by themselves report none",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 40000,
    .params = params,
    .result = result,
    .aliases = aliases,
    .run = run,
};
