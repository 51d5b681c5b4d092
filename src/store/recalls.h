/* Calls that were to be done exactly once: which call it was, and its answer once there is one. */
#pragma once

#include "store/store.h"

typedef struct HfRecallKey {
    const char *caller, *key; /* the caller's name for its call */
    const char *call;         /* hash of what was asked */
} HfRecallKey;

/* Within a transaction of the audit: that it is about to be done, its answer, or that nothing was
 * done after all. */
gboolean hf_recalls_begin(HfStoreSession *session, const HfRecallKey *key, gint64 now_ms,
                          GError **error);
gboolean hf_recalls_finish(HfStoreSession *session, const HfRecallKey *key, const char *answer,
                           GError **error);
gboolean hf_recalls_forget(HfStoreSession *session, const HfRecallKey *key, GError **error);

typedef struct HfRecalled {
    gboolean found;
    char *call;
    json_t *answer; /* JSON null: it was begun, and never finished */
} HfRecalled;

void hf_recalled_clear(HfRecalled *recalled);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRecalled, hf_recalled_clear)

gboolean hf_recalls_find(HfStore *store, const HfRecallKey *key, gint64 since_ms,
                         HfRecalled *ret_recalled, GError **error);
/* Those from before a time, and the oldest of too many. */
gboolean hf_recalls_trim(HfStore *store, gint64 before_ms, gint64 most, GError **error);
