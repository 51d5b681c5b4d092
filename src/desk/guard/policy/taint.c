/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in memory in front of the store. */
#include "desk/guard/policy/taint.h"

#include "desk/guard/guard-limits.h"
#include "desk/records/store/taint-rows.h"

struct HfTaint {
    HfStore *store;
    GMutex lock;
    GHashTable *known; /* run → bits | KNOWN; emptied when it gets too large */
};

/* Set in every entry, so that "has read nothing" is cached too. */
#define KNOWN (1u << 31)

HfTaint *hf_taint_new(HfStore *store)
{
    HfTaint *taint = g_new0(HfTaint, 1);
    taint->store = store;
    g_mutex_init(&taint->lock);
    taint->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return taint;
}

void hf_taint_free(HfTaint *taint)
{
    if (!taint)
        return;
    g_hash_table_unref(taint->known);
    g_mutex_clear(&taint->lock);
    g_free(taint);
}

static guint lookup_taint(HfTaint *taint, const char *run_id)
{
    g_mutex_lock(&taint->lock);
    guint bits = GPOINTER_TO_UINT(g_hash_table_lookup(taint->known, run_id));
    g_mutex_unlock(&taint->lock);
    return bits;
}

static void cache_taint(HfTaint *taint, const char *run_id, guint bits)
{
    g_mutex_lock(&taint->lock);
    if (g_hash_table_size(taint->known) >= HF_LIMIT_TAINTS_KNOWN)
        g_hash_table_remove_all(taint->known);
    guint before = GPOINTER_TO_UINT(g_hash_table_lookup(taint->known, run_id));
    g_hash_table_insert(taint->known, g_strdup(run_id), GUINT_TO_POINTER(before | bits | KNOWN));
    g_mutex_unlock(&taint->lock);
}

static guint all_reads(void)
{
    return HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |
           HF_READS_PROGRAMS;
}

static guint of_run(HfTaint *taint, const char *run_id)
{
    guint bits = lookup_taint(taint, run_id);
    if (bits & KNOWN)
        return bits & ~KNOWN;
    guint stored = 0;
    if (!hf_taint_row_get(taint->store, run_id, &stored, NULL))
        return all_reads();
    cache_taint(taint, run_id, stored);
    return stored;
}

HfReads hf_taint_get(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named)
{
    guint bits = caller->reads ? (guint)g_atomic_int_get(caller->reads) : 0;
    return (HfReads)(named ? bits | of_run(taint, run_id) : bits);
}

void hf_taint_add(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named,
                  HfReads reads)
{
    guint bits = (guint)reads & all_reads();
    if (caller->reads)
        g_atomic_int_or((guint *)caller->reads, bits);
    if (!named || (of_run(taint, run_id) & bits) == bits)
        return;
    /* Kept in memory even if the store fails. */
    hf_taint_row_add(taint->store, run_id, bits, NULL);
    cache_taint(taint, run_id, bits);
}
