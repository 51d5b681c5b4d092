/* SPDX-License-Identifier: Apache-2.0 */
/* The known runs, and a housekeeping thread that writes summaries and removes old runs, so that no
 * call waits for either. */
#include "desk/records/evidence/evidence.h"

#include <string.h>

#include "desk/records/evidence/run-prune.h"
#include "desk/records/evidence/run-read.h"
#include "desk/records/evidence/run.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"

/* A run counts as running this long after its last step. */
#define RUNNING_MS (10 * 60 * 1000)
/* Old runs are looked for after this time, or after this much was written. */
#define PRUNE_EVERY_US (10 * 60 * G_USEC_PER_SEC)
#define PRUNE_BYTES    (16u * 1024 * 1024)
#define PRUNE_AT_ONCE  64

struct HfEvidence {
    char *root;
    HfLiveConfig *live_config;
    GThread *thread;
    GMutex lock; /* guards what follows */
    GCond changed;
    GHashTable *runs; /* id → HfRun */
    GQueue *order;    /* of HfRun, the one used last at the tail */
    GQueue *due;      /* HfRun that need a summary, referenced */
    guint64 written;  /* bytes since the last pruning */
    gint64 pruned_us; /* 0: never */
    void (*housekeeping)(HfConfig *, gpointer);
    gpointer housekeeping_data;
    gboolean ending;
};

HfRun *hf_run_ref(HfRun *run)
{
    g_atomic_ref_count_inc(&run->refs);
    return run;
}

void hf_run_unref(HfRun *run)
{
    if (!run || !g_atomic_ref_count_dec(&run->refs))
        return;
    hf_run_folder_free(run->folder);
    g_queue_free_full(run->waiting, g_free);
    g_queue_free_full(run->failed, g_free);
    g_hash_table_unref(run->tools);
    g_free(run->last.token);
    g_free(run->last.file);
    g_free(run->last.hash);
    g_free(run->caller);
    g_free(run->desktop);
    g_free(run->id);
    g_mutex_clear(&run->lock);
    g_free(run);
}

static HfRun *run_new(const char *id)
{
    HfRun *run = g_new0(HfRun, 1);
    g_atomic_ref_count_init(&run->refs);
    g_mutex_init(&run->lock);
    run->id = g_strdup(id);
    run->waiting = g_queue_new();
    run->failed = g_queue_new();
    run->tools = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return run;
}

HfRun *hf_evidence_ensure_run(HfEvidence *evidence, const char *run_id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&evidence->lock);
    HfRun *run = g_hash_table_lookup(evidence->runs, run_id);
    if (run) {
        g_queue_remove(evidence->order, run);
    } else {
        if (g_hash_table_size(evidence->runs) >= HF_LIMIT_RUNS_OPEN) {
            HfRun *oldest = g_queue_pop_head(evidence->order); /* its folder stays */
            g_hash_table_remove(evidence->runs, oldest->id);
        }
        run = run_new(run_id);
        g_hash_table_insert(evidence->runs, run->id, run);
    }
    g_queue_push_tail(evidence->order, run);
    hf_run_ref(run);
    return run;
}

gboolean hf_evidence_open_folder(HfEvidence *evidence, HfRun *run, gint64 time_ms, GError **error)
{
    if (run->folder)
        return TRUE;
    run->folder = hf_run_folder_ensure(evidence->root, run->id, time_ms, error);
    if (!run->folder)
        return FALSE;
    if (hf_run_folder_is_old(run->folder)) {
        HfRunSummary old = {0};
        hf_run_summarize(hf_run_folder_get_path(run->folder), &old);
        run->environment_known = TRUE;
        run->steps += old.steps;
        run->failures += old.failures;
        run->first_ms = old.first_ms ? old.first_ms : run->first_ms;
        hf_run_summary_clear(&old);
    }
    return TRUE;
}

void hf_evidence_note_written(HfEvidence *evidence, HfRun *run, guint64 bytes)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&evidence->lock);
    evidence->written += bytes;
    if (!run->summary_due) {
        run->summary_due = TRUE;
        g_queue_push_tail(evidence->due, hf_run_ref(run));
    }
    g_cond_signal(&evidence->changed);
}

/* ---- summary.md ---- Text of callers and programs is quoted with backquotes, so that it cannot
 * become markup. */

static char *quote_markdown(const char *text)
{
    char *copy = g_utf8_make_valid(text ? text : "", -1);
    for (char *at = copy; *at; at++)
        if (*at == '`' || *at == '|' || g_ascii_iscntrl(*at))
            *at = ' ';
    char *quoted = g_strdup_printf("`%s`", *copy ? copy : " ");
    g_free(copy);
    return quoted;
}

static char *summary_time_text(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return g_date_time_format(time, "%Y-%m-%d %H:%M:%S %z");
}

static void add_tools(GString *text, GHashTable *tools)
{
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(tools), (GCompareFunc)g_strcmp0);
    if (!names)
        return;
    g_string_append(text, "\n## Tools\n\n| tool | calls |\n| --- | ---: |\n");
    for (GList *each = names; each; each = each->next) {
        g_autofree char *name = quote_markdown(each->data);
        g_string_append_printf(text, "| %s | %u |\n", name,
                               GPOINTER_TO_UINT(g_hash_table_lookup(tools, each->data)));
    }
}

char *hf_run_dup_summary(const HfRun *run)
{
    g_autofree char *id = quote_markdown(run->id), *caller = quote_markdown(run->caller);
    g_autofree char *desktop = quote_markdown(run->desktop);
    g_autofree char *first = summary_time_text(run->first_ms),
                    *last = summary_time_text(run->last_ms);
    g_autoptr(GString) text = g_string_new("# Run ");
    g_string_append_printf(text,
                           "%s\n\n| | |\n| --- | --- |\n| began | %s |\n| last step | %s |\n"
                           "| caller | %s |\n| desktop | %s |\n| steps | %u |\n| failures | %u |\n",
                           id, first, last, caller, desktop, run->steps, run->failures);
    add_tools(text, run->tools);
    if (!g_queue_is_empty(run->failed))
        g_string_append(text, "\n## Latest failures\n\n| step | tool | error |\n| ---: | --- | --- "
                              "|\n");
    for (GList *each = run->failed->head; each; each = each->next)
        g_string_append_printf(text, "%s\n", (const char *)each->data);
    g_string_append(text,
                    "\n`steps.jsonl` has every step; `handfast export` makes a page of it.\n");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

void hf_run_note_failure(HfRun *run, const char *tool, const char *message)
{
    g_autofree char *quoted_tool = quote_markdown(tool), *quoted = quote_markdown(message);
    g_queue_push_tail(run->failed,
                      g_strdup_printf("| %u | %s | %s |", run->steps, quoted_tool, quoted));
    while (g_queue_get_length(run->failed) > 20)
        g_free(g_queue_pop_head(run->failed));
}

static void write_summary(HfRun *run)
{
    g_mutex_lock(&run->lock);
    g_autofree char *text = hf_run_dup_summary(run);
    if (run->folder)
        hf_run_folder_write(run->folder, "summary.md", text, strlen(text), NULL);
    g_mutex_unlock(&run->lock);
}

/* An idle run lets its folder go, so that it can be removed; its next step creates another. */
static gboolean is_running(const char *path, gpointer data)
{
    HfEvidence *evidence = data;
    gint64 now = g_get_real_time() / 1000;
    gboolean running = FALSE;
    GHashTableIter iter;
    gpointer each;
    g_mutex_lock(&evidence->lock);
    g_hash_table_iter_init(&iter, evidence->runs);
    while (!running && g_hash_table_iter_next(&iter, NULL, &each)) {
        HfRun *run = each;
        g_mutex_lock(&run->lock);
        if (run->folder && g_str_equal(hf_run_folder_get_path(run->folder), path)) {
            running = now - run->last_ms < RUNNING_MS;
            if (!running) {
                g_clear_pointer(&run->folder, hf_run_folder_free);
                g_clear_pointer(&run->last.token, g_free);
                run->environment_known = FALSE;
            }
        }
        g_mutex_unlock(&run->lock);
    }
    g_mutex_unlock(&evidence->lock);
    return running;
}

static void prune_old_runs(HfEvidence *evidence)
{
    g_autoptr(HfConfig) config = hf_live_config_get(evidence->live_config);
    HfRunPrune wanted = {
        .root = evidence->root,
        .now_ms = g_get_real_time() / 1000,
        .max_age_days = (int)hf_config_int(config, "evidence.max_age_days"),
        .max_bytes = (guint64)hf_config_int(config, "evidence.max_megabytes") * 1024 * 1024,
        .is_running = is_running,
        .data = evidence,
        .most = PRUNE_AT_ONCE,
    };
    hf_runs_prune(&wanted, NULL);
    g_mutex_lock(&evidence->lock);
    void (*housekeeping)(HfConfig *, gpointer) = evidence->housekeeping;
    g_mutex_unlock(&evidence->lock);
    if (housekeeping)
        housekeeping(config, evidence->housekeeping_data);
}

void hf_evidence_set_housekeeping(HfEvidence *evidence, void (*housekeeping)(HfConfig *, gpointer),
                                  gpointer data)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&evidence->lock);
    evidence->housekeeping_data = data;
    evidence->housekeeping = housekeeping;
    evidence->pruned_us = 0; /* prune at once */
    g_cond_signal(&evidence->changed);
}

/* With the lock held. */
static gboolean is_prune_due(const HfEvidence *evidence)
{
    return evidence->pruned_us == 0 || evidence->written >= PRUNE_BYTES ||
           g_get_monotonic_time() - evidence->pruned_us >= PRUNE_EVERY_US;
}

static gpointer run_evidence_housekeeping(gpointer data)
{
    HfEvidence *evidence = data;
    g_mutex_lock(&evidence->lock);
    for (;;) {
        while (!evidence->ending && g_queue_is_empty(evidence->due) && !is_prune_due(evidence))
            g_cond_wait_until(&evidence->changed, &evidence->lock,
                              evidence->pruned_us + PRUNE_EVERY_US);
        g_autoptr(HfRun) run = g_queue_pop_head(evidence->due);
        gboolean look = !run && !evidence->ending && is_prune_due(evidence);
        if (run)
            run->summary_due = FALSE;
        if (look) {
            evidence->pruned_us = g_get_monotonic_time();
            evidence->written = 0;
        }
        if (!run && !look)
            break;
        g_mutex_unlock(&evidence->lock);
        if (run)
            write_summary(run);
        else
            prune_old_runs(evidence);
        g_mutex_lock(&evidence->lock);
    }
    g_mutex_unlock(&evidence->lock);
    return NULL;
}

HfEvidence *hf_evidence_new(const char *root, HfLiveConfig *live_config)
{
    HfEvidence *evidence = g_new0(HfEvidence, 1);
    evidence->root = g_strdup(root);
    evidence->live_config = live_config;
    g_mutex_init(&evidence->lock);
    g_cond_init(&evidence->changed);
    evidence->runs =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)hf_run_unref);
    evidence->order = g_queue_new();
    evidence->due = g_queue_new();
    evidence->thread = g_thread_new("evidence", run_evidence_housekeeping, evidence);
    return evidence;
}

void hf_evidence_free(HfEvidence *evidence)
{
    if (!evidence)
        return;
    g_mutex_lock(&evidence->lock);
    evidence->ending = TRUE;
    g_cond_signal(&evidence->changed);
    g_mutex_unlock(&evidence->lock);
    g_thread_join(evidence->thread);
    g_queue_free(evidence->order);
    g_queue_free(evidence->due);
    g_hash_table_unref(evidence->runs);
    g_mutex_clear(&evidence->lock);
    g_cond_clear(&evidence->changed);
    g_free(evidence->root);
    g_free(evidence);
}
