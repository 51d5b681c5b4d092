/* SPDX-License-Identifier: Apache-2.0 */
/* What evidence does the run keep? The policy says how much:
 *   none      nothing
 *   failures  of a run in which a call fails: a line for each call (also for the last ones before
 *             the first failure), and a picture of the screen after each failure
 *   actions   a line for each call, pictures before and after each action, and after failures
 *   all       the same, and a picture after each read-only call
 * The line holds the hashes of the pictures; its own hash goes into the audit. */
#include <string.h>

#include "desk/guard/guard-limits.h"
#include "desk/guard/steps/steps.h"
#include "desk/records/audit/redact.h"
#include "desk/records/evidence/run.h"
#include "shared/base/error.h"

static gboolean evidence_policy_is(const HfPassage *passage, const char *name)
{
    return g_str_equal(hf_config_string(passage->config, "evidence.policy"), name);
}

static void set_line_text(json_t *line, const char *name, const char *text)
{
    if (text && *text)
        json_object_set_new(line, name, hf_json_text(text));
}

static void set_line_outcome(json_t *line, const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    const HfParam *table = passage->tool->params;
    json_object_set_new(line, "ok", json_boolean(answer->error == NULL));
    if (answer->error) {
        g_autoptr(json_t) error = hf_error_to_json(answer->error);
        json_object_set_new(line, "error",
                            hf_redact_value_echo(error, table, passage->request->params));
    } else if (passage->dry_run) {
        json_object_set_new(line, "dry_run", json_true());
    } else {
        json_object_set_new(line, "result",
                            hf_redact_params(passage->tool->result, answer->result->json));
    }
    if (answer->effect)
        json_object_set_new(line, "effect",
                            hf_redact_value_echo(answer->effect, table, passage->request->params));
    if (answer->untrusted)
        json_object_set_new(line, "untrusted", hf_reads_to_json(answer->untrusted));
    json_object_set_new(line, "duration_ms",
                        json_real((double)(g_get_monotonic_time() - answer->started) / 1000));
}

static void set_line_judgement(json_t *line, const HfPassage *passage)
{
    const HfDecision *decision = &passage->judgement.decision;
    json_t *decided = json_object();
    set_line_text(
        decided, "action",
        hf_policy_action_name(decision->action ? decision->action : HF_POLICY_ACTION_AUTO));
    set_line_text(decided, "by", decision->by);
    set_line_text(decided, "approval_id", decision->approval_id);
    HfRisk least = hf_tool_risk(passage->tool, passage->contained);
    json_object_set_new(line, "risk",
                        json_string(hf_risk_name(MAX(passage->judgement.risk, least))));
    json_object_set_new(line, "decision", decided);
    if (json_array_size(passage->judgement.rules) > 0)
        json_object_set(line, "rules", passage->judgement.rules);
    if (passage->judgement.tainted)
        json_object_set_new(line, "tainted", json_true());
}

static json_t *new_step_line(const HfPassage *passage)
{
    const HfAnswer *answer = passage->answer;
    const HfCaller *caller = passage->request->caller;
    const json_t *params = passage->request->params;
    json_t *line = json_pack(
        "{s:I, s:o, s:s, s:s, s:s, s:o, s:{s:s, s:o, s:i}}", "time", (json_int_t)answer->time_ms,
        "run_id", hf_json_text(passage->evidence.run->id), "step_id", answer->step_id, "tool",
        passage->tool->name, "title", passage->tool->title, "desktop",
        hf_json_text(passage->desktop ? passage->desktop : ""), "caller", "kind",
        hf_caller_kind_name(caller->kind), "name", hf_json_text(caller->name ? caller->name : ""),
        "pid", (int)caller->pid);
    const json_t *given = passage->params ? passage->params : params;
    json_object_set_new(line, "params", hf_redact_params(passage->tool->params, given));
    set_line_text(line, "project", hf_json_string(params, "project", NULL));
    set_line_text(line, "reason", hf_json_string(params, "reason", NULL));
    set_line_judgement(line, passage);
    set_line_outcome(line, passage);
    json_t *clean = hf_redact_strings(line, passage->tool->params, params);
    json_decref(line);
    return clean;
}

static const HfAttachment *find_witness_picture(const HfResult *seen, const char *name)
{
    for (guint i = 0; i < seen->attachments->len; i++) {
        const HfAttachment *attachment = seen->attachments->pdata[i];
        if (g_str_equal(attachment->field, name))
            return attachment;
    }
    return NULL;
}

/* The next step can refer to this picture if the screen has not changed. */
static void remember_last_picture(HfRun *run, const json_t *about, const char *file,
                                  const char *hash)
{
    HfRunPicture *last = &run->last;
    g_free(last->token);
    g_free(last->file);
    g_free(last->hash);
    *last = (HfRunPicture){g_strdup(hf_json_string(about, "token", NULL)), g_strdup(file),
                           g_strdup(hash), (int)hf_json_int(about, "width", 0),
                           (int)hf_json_int(about, "height", 0)};
}

/* Stores one of the two pictures of a step, or links the last one if it is the same. NULL: there is
 * none, or (with an error) it could not be written. */
static json_t *keep_witness_picture(HfPassage *passage, const char *name, guint64 *bytes,
                                    GError **error)
{
    const HfResult *seen = passage->errand.ret_witness;
    HfRun *run = passage->evidence.run;
    const json_t *about = json_object_get(seen->json, name);
    const HfAttachment *picture = find_witness_picture(seen, name);
    gboolean on_disk = !hf_config_bool(passage->config, "evidence.no_screenshots");
    g_autofree char *file = g_strdup_printf("screenshots/%03u_%s.jpg", run->steps, name);
    if (picture) {
        gsize size;
        const guchar *data = g_bytes_get_data(picture->bytes, &size);
        g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, size);
        if (on_disk && !hf_run_folder_write(run->folder, file, data, size, error))
            return NULL;
        *bytes += on_disk ? size : 0;
        remember_last_picture(run, about, on_disk ? file : NULL, hash);
    } else if (!about || g_strcmp0(hf_json_string(about, "token", NULL), run->last.token) != 0) {
        return NULL;
    } else if (on_disk && run->last.file &&
               !hf_run_folder_link(run->folder, run->last.file, file, error)) {
        return NULL;
    }
    json_t *kept = json_pack("{s:s, s:i, s:i}", "sha256", run->last.hash, "width", run->last.width,
                             "height", run->last.height);
    if (run->last.file)
        json_object_set_new(kept, "file", json_string(file));
    return kept;
}

static void keep_witness_pictures(HfPassage *passage, json_t *line, guint64 *bytes, GError **error)
{
    static const char *const names[] = {"before", "after"};
    const HfResult *seen = passage->errand.ret_witness;
    if (!seen)
        return;
    guint64 megabytes = (guint64)hf_config_int(passage->config, "evidence.max_megabytes");
    if (passage->evidence.run->bytes >= megabytes * 1024 * 1024) {
        json_object_set_new(
            line, "problem",
            json_string("no more pictures: the limit evidence.max_megabytes is reached"));
        return;
    }
    g_autoptr(json_t) pictures = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(names) && !(error && *error); i++) {
        json_t *kept = keep_witness_picture(passage, names[i], bytes, error);
        if (kept)
            json_object_set_new(pictures, names[i], kept);
    }
    if (json_object_size(pictures) > 0)
        json_object_set(line, "pictures", pictures);
    set_line_text(line, "problem", hf_json_string(seen->json, "problem", NULL));
}

/* Written once known: a run may begin with calls that reach no desktop. */
static gboolean write_run_environment(HfPassage *passage, gboolean must, GError **error)
{
    const HfResult *seen = passage->errand.ret_witness;
    json_t *known = seen ? json_object_get(seen->json, "environment") : NULL;
    if (passage->evidence.run->environment_known || (!known && !must))
        return TRUE;
    passage->evidence.run->environment_known = known != NULL;
    g_autoptr(json_t) all = known ? json_copy(known) : json_object();
    json_object_set_new(all, "run_id", hf_json_text(passage->evidence.run->id));
    json_object_set_new(all, "desktop", hf_json_text(passage->desktop ? passage->desktop : ""));
    json_object_set_new(all, "evidence_policy",
                        json_string(hf_config_string(passage->config, "evidence.policy")));
    json_object_set_new(all, "policy_hash", json_string(hf_config_get_hash(passage->config)));
    g_autofree char *text = json_dumps(all, JSON_INDENT(2));
    return hf_run_folder_write(passage->evidence.run->folder, "env.json", text, strlen(text),
                               error);
}

/* Creates the folder, and writes the lines that waited for it. */
static gboolean begin_run_folder(HfPassage *passage, GError **error)
{
    HfRun *run = passage->evidence.run;
    if (run->folder)
        return write_run_environment(passage, FALSE, error);
    if (!hf_evidence_open_folder(passage->guard->evidence, run, run->first_ms, error) ||
        !write_run_environment(passage, TRUE, error))
        return FALSE;
    char *line;
    while ((line = g_queue_pop_head(run->waiting))) {
        gboolean written = hf_run_folder_append(run->folder, "steps.jsonl", line, error);
        g_free(line);
        if (!written)
            return FALSE;
    }
    return TRUE;
}

static void count_run_step(HfPassage *passage)
{
    HfRun *run = passage->evidence.run;
    const HfAnswer *answer = passage->answer;
    const char *tool = passage->tool->name;
    run->steps++;
    run->first_ms = run->first_ms ? run->first_ms : answer->time_ms;
    run->last_ms = answer->time_ms;
    if (!run->caller)
        run->caller = g_strdup(passage->request->caller->name);
    if (!run->desktop)
        run->desktop = g_strdup(passage->desktop);
    guint calls = GPOINTER_TO_UINT(g_hash_table_lookup(run->tools, tool));
    g_hash_table_insert(run->tools, g_strdup(tool), GUINT_TO_POINTER(calls + 1));
    if (answer->error) {
        run->failures++;
        g_autofree char *message =
            hf_redact_echo(answer->error->message, passage->tool->params, passage->request->params);
        hf_run_note_failure(run, tool, message);
    }
}

static gboolean keep_step_line(HfPassage *passage, guint64 *bytes, GError **error)
{
    HfRun *run = passage->evidence.run;
    gboolean kept =
        run->folder || passage->answer->error || !evidence_policy_is(passage, "failures");
    g_autoptr(GError) problem = NULL;
    if (kept && !begin_run_folder(passage, error))
        return FALSE;
    g_autoptr(json_t) line = new_step_line(passage);
    json_object_set_new(line, "step", json_integer(run->steps));
    if (kept)
        keep_witness_pictures(passage, line, bytes, &problem);
    if (problem)
        json_object_set_new(line, "problem", hf_json_text(problem->message));
    char *text = hf_json_dump(line);
    passage->evidence.hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    if (!kept) { /* until something fails, the last lines wait in memory */
        g_queue_push_tail(run->waiting, text);
        if (g_queue_get_length(run->waiting) > HF_LIMIT_RUN_WAITING)
            g_free(g_queue_pop_head(run->waiting));
        return TRUE;
    }
    *bytes += strlen(text);
    gboolean written =
        hf_run_folder_append(run->folder, "steps.jsonl", text, problem ? NULL : &problem);
    g_free(text);
    if (!written)
        g_clear_pointer(&passage->evidence.hash, g_free);
    if (!problem)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

void hf_step_evidence_after(HfPassage *passage)
{
    if (!passage->tool || !passage->config || passage->request->human || passage->counted ||
        evidence_policy_is(passage, "none"))
        return;
    HfEvidence *evidence = passage->guard->evidence;
    if (!passage->evidence.run) /* refused by an earlier step */
        passage->evidence.run = hf_evidence_ensure_run_of(passage);
    HfRun *run = passage->evidence.run;
    g_autoptr(GError) problem = NULL;
    guint64 bytes = 0;
    g_mutex_lock(&run->lock);
    count_run_step(passage);
    keep_step_line(passage, &bytes, &problem);
    run->bytes += bytes;
    gboolean written = run->folder != NULL;
    g_mutex_unlock(&run->lock);
    if (problem) {
        passage->evidence.problem = g_strdup(problem->message);
        if (!passage->answer->warning)
            passage->answer->warning = g_steal_pointer(&problem);
    }
    if (written)
        hf_evidence_note_written(evidence, run, bytes);
}
