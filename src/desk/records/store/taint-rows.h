/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that have read text of others, so that they stay known when the desk starts again. */
#pragma once

#include "desk/records/store/store.h"

/* The HfReads bits of a run; 0 when it has read nothing. FALSE: cannot be known now. */
gboolean hf_taint_row_get(HfStore *store, const char *run_id, guint *ret_reads, GError **error);
/* Adds to them. */
gboolean hf_taint_row_add(HfStore *store, const char *run_id, guint reads, GError **error);
