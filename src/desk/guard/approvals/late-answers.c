/* SPDX-License-Identifier: Apache-2.0 */
/* The lock is not held while the disk works. */
#include "desk/guard/approvals/late-answers.h"

#include "desk/records/store/approval-rows.h"
#include "shared/base/error.h"

typedef struct LateAnswer {
    char *state, *by, *reason;
} LateAnswer;

struct HfLateAnswers {
    HfStore *store;
    GMutex lock;       /* guards what follows */
    GHashTable *table; /* id of the question → LateAnswer */
};

static void late_answer_free(gpointer data)
{
    LateAnswer *answer = data;
    g_free(answer->state);
    g_free(answer->by);
    g_free(answer->reason);
    g_free(answer);
}

HfLateAnswers *hf_late_answers_new(HfStore *store)
{
    HfLateAnswers *late = g_new0(HfLateAnswers, 1);
    late->store = store;
    g_mutex_init(&late->lock);
    late->table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, late_answer_free);
    return late;
}

void hf_late_answers_free(HfLateAnswers *late)
{
    g_hash_table_unref(late->table);
    g_mutex_clear(&late->lock);
    g_free(late);
}

void hf_late_answers_keep(HfLateAnswers *late, const char *id, const char *state, const char *by,
                          const char *reason)
{
    LateAnswer *answer = g_new(LateAnswer, 1);
    *answer = (LateAnswer){g_strdup(state), g_strdup(by), g_strdup(reason)};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&late->lock);
    g_hash_table_insert(late->table, g_strdup(id), answer);
}

/* One of them, out of the table; NULL: none. */
static LateAnswer *steal_late_answer(HfLateAnswers *late, char **ret_id)
{
    GHashTableIter iter;
    gpointer id, answer;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&late->lock);
    g_hash_table_iter_init(&iter, late->table);
    if (!g_hash_table_iter_next(&iter, &id, &answer))
        return NULL;
    g_hash_table_iter_steal(&iter);
    *ret_id = id;
    return answer;
}

void hf_late_answers_store(HfLateAnswers *late)
{
    LateAnswer *answer;
    char *id;
    gboolean full = FALSE;
    while (!full && (answer = steal_late_answer(late, &id))) {
        g_autoptr(GError) problem = NULL;
        full = !hf_approval_row_move(late->store, id, "pending", answer->state, answer->by,
                                     answer->reason, &problem) &&
               hf_error_code(problem) == HF_ERROR_STORAGE_FAILED;
        if (full)
            hf_late_answers_keep(late, id, answer->state, answer->by, answer->reason);
        late_answer_free(answer);
        g_free(id);
    }
}

char *hf_late_answers_dup_state(HfLateAnswers *late, const char *id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&late->lock);
    const LateAnswer *answer = g_hash_table_lookup(late->table, id);
    return answer ? g_strdup(answer->state) : NULL;
}
