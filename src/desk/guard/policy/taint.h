/* SPDX-License-Identifier: Apache-2.0 */
/* Taint: which runs have read text that others wrote. Such text may hold instructions that the
 * owner never gave, so the policy can be stricter with these runs. Taint never goes away. */
#pragma once

#include "desk/policy/identity/caller.h"
#include "desk/records/store/store.h"
#include "shared/tool/tool.h"

typedef struct HfTaint HfTaint;

HfTaint *hf_taint_new(HfStore *store);
void hf_taint_free(HfTaint *taint);

/* What the run and the connection have read so far. The connection counts too, so that another run
 * id does not shed the taint. When the store cannot be read, everything counts as read. `named`:
 * the caller named the run. */
HfReads hf_taint_get(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named);
/* Adds to both; durable for named runs. */
void hf_taint_add(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named,
                  HfReads reads);
