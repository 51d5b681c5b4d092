/* SPDX-License-Identifier: Apache-2.0 */
/* Only interruptions of work count: using one's own desktop must not pause the agent for good. */
#include "desk/guard/stop/takeovers.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* After this long without an interruption, the next one is the first again. */
#define FORGET_US (10 * 60 * G_USEC_PER_SEC)

typedef struct Takeover {
    gint64 last_us; /* of the last input */
    gint64 interrupted_us;
    guint interruptions;
} Takeover;

struct HfTakeovers {
    GHashTable *table; /* desktop → Takeover */
    gint64 quiet_us;
    guint times;
};

HfTakeovers *hf_takeovers_new(void)
{
    HfTakeovers *takeovers = g_new0(HfTakeovers, 1);
    takeovers->table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    takeovers->quiet_us = HF_TAKEOVER_QUIET_S * G_USEC_PER_SEC;
    takeovers->times = HF_TAKEOVER_TIMES;
    return takeovers;
}

void hf_takeovers_free(HfTakeovers *takeovers)
{
    g_hash_table_unref(takeovers->table);
    g_free(takeovers);
}

void hf_takeovers_configure(HfTakeovers *takeovers, gint64 quiet_us, guint times)
{
    takeovers->quiet_us = quiet_us;
    takeovers->times = times;
}

/* The hand reports input in intervals, so the last input may be one interval later than reported.
 */
static gint64 takeover_time_left(const HfTakeovers *takeovers, const Takeover *takeover,
                                 gint64 now_us)
{
    gint64 interval = takeovers->quiet_us / HF_TAKEOVER_REPORTS;
    if (takeovers->quiet_us <= 0 || !takeover->last_us)
        return 0;
    return MAX(0, takeover->last_us + takeovers->quiet_us + interval - now_us);
}

gboolean hf_takeovers_note_input(HfTakeovers *takeovers, const char *desktop, gint64 at_us,
                                 gboolean working)
{
    if (takeovers->quiet_us <= 0)
        return FALSE;
    Takeover *takeover = g_hash_table_lookup(takeovers->table, desktop);
    if (!takeover) {
        takeover = g_new0(Takeover, 1);
        g_hash_table_insert(takeovers->table, g_strdup(desktop), takeover);
    }
    gboolean began = takeover_time_left(takeovers, takeover, at_us) == 0;
    takeover->last_us = MAX(takeover->last_us, at_us);
    if (!began || !working)
        return FALSE;
    if (at_us - takeover->interrupted_us > FORGET_US)
        takeover->interruptions = 0;
    takeover->interrupted_us = at_us;
    takeover->interruptions++;
    return takeovers->times > 0 && takeover->interruptions >= takeovers->times;
}

gint64 hf_takeovers_left(HfTakeovers *takeovers, const char *desktop)
{
    const Takeover *takeover = g_hash_table_lookup(takeovers->table, desktop);
    return takeover ? takeover_time_left(takeovers, takeover, g_get_monotonic_time()) : 0;
}

gboolean hf_takeovers_any(HfTakeovers *takeovers, const char *desktop)
{
    if (desktop)
        return g_hash_table_contains(takeovers->table, desktop);
    return g_hash_table_size(takeovers->table) > 0;
}

void hf_takeovers_forget(HfTakeovers *takeovers, const char *desktop)
{
    if (desktop)
        g_hash_table_remove(takeovers->table, desktop);
    else
        g_hash_table_remove_all(takeovers->table);
}

json_t *hf_takeovers_describe(HfTakeovers *takeovers)
{
    json_t *list = json_array();
    GHashTableIter iter;
    gpointer name, value;
    gint64 now = g_get_monotonic_time();
    g_hash_table_iter_init(&iter, takeovers->table);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        const Takeover *takeover = value;
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:I}", "desktop", hf_json_text(name), "quiet_in_ms",
                            (json_int_t)(takeover_time_left(takeovers, takeover, now) / 1000),
                            "interruptions", (json_int_t)takeover->interruptions));
    }
    return list;
}
