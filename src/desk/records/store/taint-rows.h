/* SPDX-License-Identifier: Apache-2.0 */
/* Who has read text of others (desk/guard/policy/taint.h), so that a restart does not forget it. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfTaintRow {
    char *subject; /* the caller's key, or "run NAME" */
    char *desktop; /* "" for a run */
    char *caller;  /* the key of the caller who read it; "": not known */
    char *name;    /* of that caller, for people */
    char *tool;    /* that read it last; "": not known */
    guint reads;   /* HfReads */
    gint64 since_ms, seen_ms;
} HfTaintRow;

void hf_taint_row_free(HfTaintRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTaintRow, hf_taint_row_free)

/* `ret_row` is NULL when there is none. FALSE: it cannot be read. */
gboolean hf_taint_row_get(HfStore *store, const char *subject, const char *desktop,
                          HfTaintRow **ret_row, GError **error);
gboolean hf_taint_row_put(HfStore *store, const HfTaintRow *row, GError **error);
/* All rows (HfTaintRow), the latest first; NULL with an error. */
GPtrArray *hf_taint_rows_list(HfStore *store, GError **error);
/* Those of one caller, or all (NULL). */
gboolean hf_taint_rows_remove(HfStore *store, const char *caller, GError **error);
/* Removes rows that were last seen before that time, and the oldest beyond `most`. */
gboolean hf_taint_rows_prune(HfStore *store, gint64 before_ms, guint most, GError **error);
