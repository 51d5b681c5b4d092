/* SPDX-License-Identifier: Apache-2.0 */
/* Tainted runs (desk/guard/policy/taint.h), so that a restart does not forget them. */
#pragma once

#include "desk/records/store/store.h"

/* The HfReads bits of a run; 0: it has read nothing. FALSE: it cannot be read. */
gboolean hf_taint_row_get(HfStore *store, const char *run_id, guint *ret_reads, GError **error);
/* Adds bits. */
gboolean hf_taint_row_add(HfStore *store, const char *run_id, guint reads, GError **error);
