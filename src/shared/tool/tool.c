/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the declared facts, as they appear on the wire and in manuals. */
#include "shared/tool/tool.h"

#include <string.h>

static const char *const type_names[] = {
    [HF_TYPE_STRING] = "string",   [HF_TYPE_INTEGER] = "integer", [HF_TYPE_NUMBER] = "number",
    [HF_TYPE_BOOLEAN] = "boolean", [HF_TYPE_ARRAY] = "array",     [HF_TYPE_OBJECT] = "object",
};
static const char *const category_names[HF_CATEGORY_COUNT] = {
    [HF_CATEGORY_SCREEN] = "screen",       [HF_CATEGORY_MOUSE] = "mouse",
    [HF_CATEGORY_KEYBOARD] = "keyboard",   [HF_CATEGORY_APPS] = "apps",
    [HF_CATEGORY_WINDOWS] = "windows",     [HF_CATEGORY_SYSTEM] = "system",
    [HF_CATEGORY_STRUCTURE] = "structure", [HF_CATEGORY_FLOW] = "flow",
    [HF_CATEGORY_TERMINAL] = "terminal",   [HF_CATEGORY_FILES] = "files",
    [HF_CATEGORY_BROWSER] = "browser",
};
static const char *const risk_names[HF_RISK_COUNT] = {
    [HF_RISK_LOW] = "low",
    [HF_RISK_MEDIUM] = "medium",
    [HF_RISK_HIGH] = "high",
    [HF_RISK_CRITICAL] = "critical",
};
static const char *const level_names[HF_LEVEL_COUNT] = {
    [HF_LEVEL_READ_ONLY] = "L1",
    [HF_LEVEL_STANDARD] = "L2",
    [HF_LEVEL_ELEVATED] = "L3",
    [HF_LEVEL_FULL] = "L4",
};
static const char *const needs_names[HF_NEEDS_COUNT] = {
    [HF_NEEDS_NEITHER] = "neither",
    [HF_NEEDS_SCREEN] = "screen",
    [HF_NEEDS_INPUT] = "input",
};
static const char *const channel_names[HF_CHANNEL_COUNT] = {
    [HF_CHANNEL_SEMANTIC] = "semantic",
    [HF_CHANNEL_STRUCTURE] = "structure",
    [HF_CHANNEL_PIXELS] = "pixels",
};
static const char *const target_names[HF_TARGET_COUNT] = {
    [HF_TARGET_NOTHING] = "nothing", [HF_TARGET_POINT] = "point",     [HF_TARGET_DRAG] = "drag",
    [HF_TARGET_FOCUS] = "focus",     [HF_TARGET_WINDOW] = "window",   [HF_TARGET_APP] = "app",
    [HF_TARGET_PROGRAM] = "program", [HF_TARGET_ELEMENT] = "element", [HF_TARGET_SHELL] = "shell",
    [HF_TARGET_FILES] = "files",     [HF_TARGET_PAGE] = "page",
};
/* By bit; the first name means none. */
static const char *const reads_names[] = {NULL,    "screen",    "page",     "file",
                                          "shell", "clipboard", "programs", NULL};
static const char *const effect_names[] = {NULL,      "sends",         "runs_commands",
                                           "deletes", "leaves_domain", NULL};

static const char *const pace_names[HF_PACE_COUNT] = {
    [HF_PACE_FREE] = "free",
    [HF_PACE_TASK] = "task",
    [HF_PACE_MESSAGE] = "message",
};

static const char *const verify_names[HF_VERIFY_COUNT] = {
    [HF_VERIFY_NONE] = "undeclared",   [HF_VERIFY_NOTHING] = "nothing", [HF_VERIFY_OWN] = "own",
    [HF_VERIFY_ACCEPTED] = "accepted", [HF_VERIFY_EFFECT] = "effect",   [HF_VERIFY_TEXT] = "text",
};

const char *hf_type_name(HfType type)
{
    return type_names[type];
}

const char *hf_category_name(HfCategory category)
{
    return category_names[category];
}

HfRisk hf_tool_risk(const HfTool *tool, gboolean contained)
{
    return contained && tool->risk_inside != HF_RISK_NONE ? tool->risk_inside : tool->risk;
}

HfLevel hf_tool_level(const HfTool *tool, gboolean contained)
{
    return contained ? MIN(tool->level, HF_LEVEL_STANDARD) : tool->level;
}

const char *hf_risk_name(HfRisk risk)
{
    return risk_names[risk];
}

const char *hf_level_name(HfLevel level)
{
    return level_names[level];
}

const char *hf_needs_name(HfNeeds needs)
{
    return needs_names[needs];
}

const char *hf_channel_name(HfChannel channel)
{
    return channel_names[channel];
}

const char *hf_target_name(HfTarget target)
{
    return target_names[target];
}

static json_t *flag_names_to_json(unsigned bits, const char *const *names)
{
    json_t *list = json_array();
    for (int bit = 1; names[bit]; bit++)
        if (bits & (1u << bit))
            json_array_append_new(list, json_string(names[bit]));
    return list;
}

json_t *hf_reads_to_json(HfReads reads)
{
    return flag_names_to_json(reads, reads_names);
}

json_t *hf_effects_to_json(HfEffects effects)
{
    return flag_names_to_json(effects, effect_names);
}

const char *hf_verify_name(HfVerify verify)
{
    return verify_names[verify];
}

const char *hf_pace_name(HfPace pace)
{
    return pace_names[pace];
}

const HfParam *hf_param_find(const HfParam *table, const char *name)
{
    for (const HfParam *param = table; param && param->name; param++)
        if (strcmp(param->name, name) == 0)
            return param;
    return NULL;
}
