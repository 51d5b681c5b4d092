/* SPDX-License-Identifier: Apache-2.0 */
/* Does the answer carry text that others wrote? Then the caller and its run have read it. Files
 * that the call has brought or written are remembered, too. */
#include "desk/guard/policy/taint.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"

/* Some optional members of a result carry names that others gave. */
static HfReads reads_of_members(const HfTool *tool, const HfResult *result)
{
    for (const HfParam *member = tool->result; member && member->name; member++)
        if (member->others && json_object_get(result->json, member->name))
            return HF_READS_SCREEN | HF_READS_PROGRAMS;
    return 0;
}

/* What an answer carries, as its tool declares. Errors with details can name windows too. */
static HfReads reads_of_answer(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    if (!passage->performed)
        return 0;
    if (passage->tool->service)
        return passage->inner_reads;
    HfReads effect = hf_effect_names_others(answer->effect) ? HF_READS_PROGRAMS : 0;
    if (!answer->error && passage->dry_run) { /* shows the window that would be hit */
        HfTarget target = passage->tool->target;
        return target == HF_TARGET_NOTHING || target == HF_TARGET_PROGRAM
                   ? 0
                   : HF_READS_SCREEN | HF_READS_PROGRAMS;
    }
    if (!answer->error)
        return (passage->tool->reads & ~HF_READS_NOTHING) |
               reads_of_members(passage->tool, answer->result) | effect;
    g_autoptr(json_t) error = hf_error_to_json(answer->error);
    return json_object_get(error, "details") ? HF_READS_PROGRAMS : effect;
}

/* Tables may contain themselves, and none of those names written files. */
#define MOST_DEPTH 4

/* Remembers the files that the call has written, as its result names them. What came from others
 * always counts, and the rest if the caller is tainted. */
static void record_written_files(const HfPassage *passage, const HfParam *param,
                                 const json_t *value, int depth)
{
    if (!value || depth > MOST_DEPTH)
        return;
    if (param->written && json_is_string(value) && (param->others || passage->judgement.tainted))
        hf_tainted_files_add(passage->guard->tainted_files, json_string_value(value),
                             passage->request->caller, passage->tool->name);
    if (param->items)
        hf_json_each (item, value)
            record_written_files(passage, param->items, item, depth + 1);
    for (const HfParam *field = param->fields; field && field->name; field++)
        record_written_files(passage, field, json_object_get(value, field->name), depth + 1);
}

/* Looks and other tools without effects write nothing; most calls end here. */
static gboolean may_have_written_files(const HfPassage *passage)
{
    return passage->performed && !passage->dry_run && passage->answer->result &&
           (passage->tool->flags & HF_TOOL_WALLED) && !passage->tool->service;
}

void hf_step_taint_record(HfPassage *passage)
{
    HfReads reads = reads_of_answer(passage);
    passage->answer->untrusted = reads;
    if (may_have_written_files(passage))
        for (const HfParam *member = passage->tool->result; member && member->name; member++)
            record_written_files(passage, member,
                                 json_object_get(passage->answer->result->json, member->name), 0);
    if (!reads)
        return;
    HfTaintScope scope = hf_passage_taint_scope(passage);
    hf_taint_add(passage->guard->taint, &scope, passage->tool->name, reads);
}
