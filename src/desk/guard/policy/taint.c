/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in memory in front of the store. The store is written when a caller has read something
 * new, and at most once a minute to prolong what it has read before. A connection keeps its own
 * bits, with the number of times that its caller was cleared: bits from before a clearing do not
 * count. */
#include "desk/guard/policy/taint.h"

#include <string.h>

#include "desk/guard/guard-limits.h"
#include "desk/policy/identity/caller-session.h"
#include "desk/records/store/taint-rows.h"
#include "shared/base/json.h"

/* One entry of the cache; a row without reads says that the store has none. */
typedef struct Mark {
    HfTaintRow *row;
    gint64 written_ms; /* 0: not in the store */
} Mark;

struct HfTaint {
    HfStore *store;
    gint64 (*clock)(void);
    GMutex lock;           /* guards what follows; also held while the store is asked */
    GHashTable *marks;     /* subject, newline, desktop → Mark */
    GHashTable *clearings; /* key of a caller → how often it was cleared */
    guint cleared_all;
    guint writes; /* since rows were pruned last */
};

/* In the bits of a connection. */
#define CLEARINGS_SHIFT 16
#define READS_MASK      ((1u << CLEARINGS_SHIFT) - 1)
#define CLEARINGS_MASK  0x7fffu

static void taint_mark_free(gpointer data)
{
    Mark *mark = data;
    hf_taint_row_free(mark->row);
    g_free(mark);
}

static gint64 system_clock_ms(void)
{
    return g_get_real_time() / 1000;
}

HfTaint *hf_taint_new(HfStore *store, gint64 (*clock)(void))
{
    HfTaint *taint = g_new0(HfTaint, 1);
    taint->store = store;
    taint->clock = clock ? clock : system_clock_ms;
    g_mutex_init(&taint->lock);
    taint->marks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, taint_mark_free);
    taint->clearings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return taint;
}

void hf_taint_free(HfTaint *taint)
{
    if (!taint)
        return;
    g_hash_table_unref(taint->marks);
    g_hash_table_unref(taint->clearings);
    g_mutex_clear(&taint->lock);
    g_free(taint);
}

gint64 hf_taint_keep_ms(const HfConfig *config)
{
    return hf_config_int(config, "security.taint_hours") * 3600 * 1000;
}

static guint all_reads(void)
{
    return HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |
           HF_READS_PROGRAMS;
}

/* ---- marks, with the lock held ---- */

/* What the store does not have must not be forgotten. */
static gboolean may_forget_mark(gpointer key, gpointer value, gpointer data)
{
    const Mark *mark = value;
    return mark->row->reads == 0 || mark->written_ms > 0;
}

/* The mark of the subject on the desktop; NULL: the store cannot be read. */
static Mark *find_mark(HfTaint *taint, const char *subject, const char *desktop)
{
    g_autofree char *key = g_strconcat(subject, "\n", desktop, NULL);
    Mark *mark = g_hash_table_lookup(taint->marks, key);
    HfTaintRow *row = NULL;
    if (mark)
        return mark;
    if (!hf_taint_row_get(taint->store, subject, desktop, &row, NULL))
        return NULL;
    if (g_hash_table_size(taint->marks) >= HF_LIMIT_TAINTS_KNOWN)
        g_hash_table_foreach_remove(taint->marks, may_forget_mark, NULL);
    mark = g_new0(Mark, 1);
    mark->written_ms = row ? row->seen_ms : 0;
    if (!row) {
        row = g_new0(HfTaintRow, 1);
        row->subject = g_strdup(subject);
        row->desktop = g_strdup(desktop);
    }
    mark->row = row;
    g_hash_table_insert(taint->marks, g_steal_pointer(&key), mark);
    return mark;
}

static gboolean is_expired(const HfTaint *taint, const HfTaintRow *row, gint64 keep_ms)
{
    return row->seen_ms + keep_ms <= taint->clock();
}

static void add_mark_facts(HfTaint *taint, const char *subject, const char *desktop, gint64 keep_ms,
                           HfTaintFacts *facts)
{
    const Mark *mark = find_mark(taint, subject, desktop);
    if (!mark) {
        facts->reads |= (HfReads)all_reads();
        return;
    }
    if (mark->row->reads == 0 || is_expired(taint, mark->row, keep_ms))
        return;
    facts->reads |= (HfReads)mark->row->reads;
    if (!*facts->tool)
        facts->tool = g_intern_string(mark->row->tool);
    if (facts->since_ms == 0 || mark->row->since_ms < facts->since_ms)
        facts->since_ms = mark->row->since_ms;
}

/* Kept in memory even if the store fails. */
static void write_mark(HfTaint *taint, Mark *mark, gint64 keep_ms)
{
    gint64 now = taint->clock();
    if (taint->writes++ % HF_LIMIT_TAINTS_PRUNE == 0)
        hf_taint_rows_prune(taint->store, now - keep_ms, HF_LIMIT_TAINTS_STORED, NULL);
    mark->written_ms = hf_taint_row_put(taint->store, mark->row, NULL) ? now : 0;
}

static void set_row_text(char **place, const char *text)
{
    if (g_strcmp0(*place, text) == 0)
        return;
    g_free(*place);
    *place = g_strdup(text);
}

static void add_to_mark(HfTaint *taint, Mark *mark, const HfTaintScope *scope, const char *key,
                        const char *tool, guint reads)
{
    HfTaintRow *row = mark->row;
    gint64 now = taint->clock();
    if (row->reads == 0 || is_expired(taint, row, scope->keep_ms)) {
        row->reads = 0;
        row->since_ms = now;
    }
    gboolean known = (row->reads & reads) == reads;
    row->reads |= reads;
    row->seen_ms = now;
    set_row_text(&row->caller, key ? key : "");
    set_row_text(&row->name, scope->caller->name ? scope->caller->name : "");
    set_row_text(&row->tool, tool);
    if (!known || now - mark->written_ms >= HF_LIMIT_TAINT_WRITE_MS)
        write_mark(taint, mark, scope->keep_ms);
}

/* ---- connections ---- */

/* With the lock held. */
static guint clearings_of(HfTaint *taint, const char *key)
{
    guint own = key ? GPOINTER_TO_UINT(g_hash_table_lookup(taint->clearings, key)) : 0;
    return (own + taint->cleared_all) & CLEARINGS_MASK;
}

static guint get_connection_reads(const HfCaller *caller, guint clearings)
{
    guint bits = caller->reads ? (guint)g_atomic_int_get(caller->reads) : 0;
    return bits >> CLEARINGS_SHIFT == clearings ? bits & READS_MASK : 0;
}

static void add_connection_reads(const HfCaller *caller, guint clearings, guint reads)
{
    if (!caller->reads)
        return;
    guint before, after;
    do {
        before = (guint)g_atomic_int_get(caller->reads);
        guint kept = before >> CLEARINGS_SHIFT == clearings ? before & READS_MASK : 0;
        after = kept | reads | clearings << CLEARINGS_SHIFT;
    } while (!g_atomic_int_compare_and_exchange(caller->reads, (gint)before, (gint)after));
}

/* ---- what the guard asks ---- */

HfTaintFacts hf_taint_get(HfTaint *taint, const HfTaintScope *scope)
{
    HfTaintFacts facts = {.tool = ""};
    g_autofree char *key = hf_caller_dup_taint_key(scope->caller);
    g_autofree char *run = scope->run_id ? g_strconcat("run ", scope->run_id, NULL) : NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&taint->lock);
    if (key)
        add_mark_facts(taint, key, scope->desktop, scope->keep_ms, &facts);
    if (run)
        add_mark_facts(taint, run, "", scope->keep_ms, &facts);
    facts.reads |= (HfReads)get_connection_reads(scope->caller, clearings_of(taint, key));
    return facts;
}

void hf_taint_add(HfTaint *taint, const HfTaintScope *scope, const char *tool, HfReads reads)
{
    guint bits = (guint)reads & all_reads();
    if (bits == 0)
        return;
    g_autofree char *key = hf_caller_dup_taint_key(scope->caller);
    g_autofree char *run = scope->run_id ? g_strconcat("run ", scope->run_id, NULL) : NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&taint->lock);
    add_connection_reads(scope->caller, clearings_of(taint, key), bits);
    Mark *mark = key ? find_mark(taint, key, scope->desktop) : NULL;
    if (mark)
        add_to_mark(taint, mark, scope, key, tool, bits);
    mark = run ? find_mark(taint, run, "") : NULL;
    if (mark)
        add_to_mark(taint, mark, scope, key, tool, bits);
}

/* ---- what the owner asks ---- */

static json_t *taint_row_to_json(const HfTaintRow *row, gint64 keep_ms)
{
    gboolean run = *row->desktop == '\0';
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "name", hf_json_text(row->name),
                  "key", hf_json_text(row->caller), run ? "run" : "desktop",
                  hf_json_text(run ? row->subject + strlen("run ") : row->desktop), "reads",
                  hf_reads_to_json((HfReads)row->reads), "tool", hf_json_text(row->tool), "since",
                  (json_int_t)row->since_ms, "seen", (json_int_t)row->seen_ms, "expires",
                  (json_int_t)(row->seen_ms + keep_ms));
    return json;
}

json_t *hf_taint_list(HfTaint *taint, gint64 keep_ms, GError **error)
{
    g_autoptr(GPtrArray) rows = hf_taint_rows_list(taint->store, error);
    json_t *list = rows ? json_array() : NULL;
    for (guint i = 0; rows && i < rows->len; i++)
        if (!is_expired(taint, rows->pdata[i], keep_ms))
            json_array_append_new(list, taint_row_to_json(rows->pdata[i], keep_ms));
    return list;
}

char **hf_taint_dup_keys(HfTaint *taint, const char *who, GError **error)
{
    g_autoptr(GPtrArray) rows = hf_taint_rows_list(taint->store, error);
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
    if (!rows)
        return NULL;
    for (guint i = 0; i < rows->len; i++) {
        const HfTaintRow *row = rows->pdata[i];
        if (*row->caller && (!who || g_str_equal(row->caller, who) || g_str_equal(row->name, who)))
            g_hash_table_add(keys, row->caller);
    }
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, keys);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        g_strv_builder_add(builder, key);
    return g_strv_builder_end(builder);
}

static gboolean is_mark_of(gpointer key, gpointer value, gpointer data)
{
    const HfTaintRow *row = ((const Mark *)value)->row;
    return !data || g_str_equal(row->subject, data) || g_strcmp0(row->caller, data) == 0;
}

gboolean hf_taint_clear(HfTaint *taint, const char *key, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&taint->lock);
    if (!hf_taint_rows_remove(taint->store, key, error))
        return FALSE;
    g_hash_table_foreach_remove(taint->marks, is_mark_of, (gpointer)key);
    if (!key) {
        taint->cleared_all++;
        return TRUE;
    }
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(taint->clearings, key));
    g_hash_table_insert(taint->clearings, g_strdup(key), GUINT_TO_POINTER(count + 1));
    return TRUE;
}

json_t *hf_taint_describe(const HfTaintFacts *facts, const HfCaller *caller)
{
    g_autofree char *quoted = g_shell_quote(caller->name ? caller->name : "");
    g_autofree char *clear = g_strdup_printf("handfast taint clear %s", quoted);
    json_t *json = json_pack("{s:o, s:o}", "reads", hf_reads_to_json(facts->reads), "clear",
                             hf_json_text(clear));
    if (facts->since_ms > 0)
        json_object_set_new(json, "since", json_integer(facts->since_ms));
    if (*facts->tool)
        json_object_set_new(json, "tool", hf_json_text(facts->tool));
    return json;
}
