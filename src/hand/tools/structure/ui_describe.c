/* SPDX-License-Identifier: Apache-2.0 */
/* ui_describe: the elements of a window, an application or the desktop, as their programs tell them
 * by the accessibility bus. Reads only; says when it is not everything. */
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/tools/structure/call-scope.h"
#include "shared/base/json.h"

/* Boxes that only hold others say nothing to anybody. */
static gboolean says_something(const HfNode *node)
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

/* What this look is called, and the elements in it. */
typedef struct Naming {
    HfReferences *references;
    guint snapshot;
} Naming;

static guint name_described_element(gpointer data, int index)
{
    const Naming *naming = data;
    return hf_references_name(naming->references, naming->snapshot, index);
}

/* Depth counts only what is told, so that the list can be read as an outline. */
static json_t *elements_to_json(const HfTree *tree, gboolean all, const HfElementStyle *style)
{
    json_t *list = json_array();
    g_autofree int *depths = g_new0(int, hf_tree_size(tree) + 1);
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        int depth = node->parent == HF_NODE_NONE ? 0 : depths[node->parent];
        gboolean told = all || says_something(node);
        depths[i] = depth + (told ? 1 : 0);
        if (!told)
            continue;
        json_t *json = hf_element_to_json(tree, i, style);
        json_object_set_new(json, "depth", json_integer(depth));
        json_object_set_new(json, "bounds", hf_json_rect(node->bounds)); /* all 0: nowhere */
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

/* A line each: what a model reads, at a fifth of the tokens. */
static void add_lines(json_t *json, const HfTree *tree, const HfElementStyle *style)
{
    g_autofree char *text = hf_elements_to_text(tree, 0, hf_tree_size(tree), style, NULL, NULL);
    json_object_set_new(json, "lines", json_string(text));
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
    if (lines)
        add_lines(result->json, tree, &style);
    return result;
}

static const char *const formats[] = {"objects", "lines", NULL};

static const HfParam params[] = {
    HF_PARAM_SCOPE,
    {.name = "max_depth",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TREE_DEPTH,
     .about = "How deep below a window"},
    {.name = "max_nodes",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TREE_NODES,
     .fallback = G_STRINGIFY(HF_TREE_NODES),
     .about = "How many elements are read at most"},
    {.name = "include_text",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also what fields hold, and the values of sliders and the like"},
    {.name = "include_hidden",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also what does not show: closed menus, other pages"},
    {.name = "format",
     .type = HF_TYPE_STRING,
     .choices = formats,
     .fallback = "\"objects\"",
     .about = "lines: one short line for each element, for models: e12 button \"Save\" 120,44 "
              "80x24 focused"},
    {.name = "include_containers",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Also boxes without a name, which only hold others"},
    {0},
};

static const HfParam text = {.type = HF_TYPE_STRING};
static const HfParam element = {.type = HF_TYPE_OBJECT, .fields = hf_outline_fields};

static const HfParam program_fields[] = {
    {.name = "name", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it calls itself"},
    {.name = "pid", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its process; 0: unknown"},
    {.name = "toolkit", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it is made with"},
    {.name = "version", .type = HF_TYPE_STRING, .required = TRUE, .about = "Of the toolkit"},
    {.name = "truncated",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text,
     .about = "Why not all of it is here; program: it does not answer"},
    {0},
};
static const HfParam program = {.type = HF_TYPE_OBJECT, .fields = program_fields};

static const HfParam result[] = {
    {.name = "snapshot_id",
     .type = HF_TYPE_STRING,
     .about = "The snapshot that the references belong to; 30 seconds and 50 uses"},
    {.name = "lines", .type = HF_TYPE_STRING, .about = "The elements, for the format lines"},
    {.name = "elements",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &element,
     .about = "An outline: each right before those that it holds"},
    {.name = "truncated",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text,
     .about = "Why something is missing: depth, nodes, time, program; empty: nothing is"},
    {.name = "programs",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &program,
     .about = "The programs that were asked"},
    {.name = "nodes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many elements were read, with those that are not told"},
    {.name = "calls",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many questions were put to the programs: next to none when nothing has changed"},
    {.name = "took_ms", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Milliseconds"},
    {0},
};

static const char *const aliases[] = {"dump_ax_tree", NULL};

const HfTool hf_tool_ui_describe = {
    .name = "ui_describe",
    .title = "Describe the user interface",
    .summary = "List the elements of the focused window (or of another one, an application, or "
               "everything): role, name, state, place on the screen, what can be done with them. "
               "Exact where programs tell it; windows that paint themselves have none",
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
