/* SPDX-License-Identifier: Apache-2.0 */
/* What a handler gets. It only reads: param-check.c has checked everything before. */
#include "shared/tool/call.h"

#include <math.h>

struct HfCall {
    const HfTool *tool;
    json_t *params;
    HfCallContext *context;
    HfDesktop *desktop;
    HfDeadline deadline;
    gboolean wants_undo;
    json_t *undo;
    json_t *found; /* NULL: none */
    guint32 window;
    gboolean approved;
    const char *inspected_sha256;
    const json_t *walls;
};

HfCall *hf_call_new(const HfTool *tool, json_t *take_params, HfCallContext *context,
                    HfDesktop *desktop, HfDeadline deadline)
{
    HfCall *call = g_new(HfCall, 1);
    *call = (HfCall){.tool = tool,
                     .params = take_params,
                     .context = context,
                     .desktop = desktop,
                     .deadline = deadline};
    return call;
}

void hf_call_free(HfCall *call)
{
    if (!call)
        return;
    json_decref(call->params);
    json_decref(call->undo);
    json_decref(call->found);
    g_free(call);
}

HfCallContext *hf_call_context(const HfCall *call)
{
    return call->context;
}

HfDesktop *hf_call_desktop(const HfCall *call)
{
    return call->desktop;
}

const HfTool *hf_call_tool(const HfCall *call)
{
    return call->tool;
}

gboolean hf_call_wants_undo(const HfCall *call)
{
    return call->wants_undo;
}

void hf_call_want_undo(HfCall *call)
{
    call->wants_undo = TRUE;
}

void hf_call_take_undo(HfCall *call, json_t *take_undo)
{
    json_decref(call->undo);
    call->undo = take_undo;
}

json_t *hf_call_steal_undo(HfCall *call)
{
    return g_steal_pointer(&call->undo);
}

void hf_call_set_walls(HfCall *call, const json_t *walls)
{
    call->walls = walls;
}

const json_t *hf_call_walls(const HfCall *call)
{
    return call->walls;
}

void hf_call_set_window(HfCall *call, guint32 window)
{
    call->window = window;
}

guint32 hf_call_window(const HfCall *call)
{
    return call->window;
}

void hf_call_set_inspected_sha256(HfCall *call, const char *sha256)
{
    call->inspected_sha256 = sha256;
}

const char *hf_call_inspected_sha256(const HfCall *call)
{
    return call->inspected_sha256;
}

void hf_call_set_approved(HfCall *call, gboolean approved)
{
    call->approved = approved;
}

gboolean hf_call_is_approved(const HfCall *call)
{
    return call->approved;
}

void hf_call_take_found(HfCall *call, const char *member, json_t *take_element)
{
    if (!call->found)
        call->found = json_object();
    json_object_set_new(call->found, member, take_element);
}

void hf_call_add_found(const HfCall *call, json_t *result)
{
    if (call->found)
        json_object_update(result, call->found);
}

const HfDeadline *hf_call_deadline(const HfCall *call)
{
    return &call->deadline;
}

gboolean hf_call_has(const HfCall *call, const char *name)
{
    return json_object_get(call->params, name) != NULL;
}

const char *hf_call_string(const HfCall *call, const char *name)
{
    return hf_json_string(call->params, name, NULL);
}

gint64 hf_call_int(const HfCall *call, const char *name)
{
    return llround(hf_json_number(call->params, name, 0));
}

double hf_call_number(const HfCall *call, const char *name)
{
    return hf_json_number(call->params, name, 0);
}

gboolean hf_call_bool(const HfCall *call, const char *name)
{
    return hf_json_bool(call->params, name, FALSE);
}

json_t *hf_call_json(const HfCall *call, const char *name)
{
    return json_object_get(call->params, name);
}

char **hf_call_dup_strings(const HfCall *call, const char *name)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    hf_json_each (value, json_object_get(call->params, name))
        g_strv_builder_add(builder, json_string_value(value));
    return g_strv_builder_end(builder);
}
