/* SPDX-License-Identifier: Apache-2.0 */
/* Which runs have read text of others. Such text may hold instructions that nobody agreed to, so
 * the policy can be stricter with a run that has read some. It never gets milder by anything. */
#pragma once

#include "desk/guard/policy/caller.h"
#include "desk/records/store/store.h"
#include "shared/tool/tool.h"

typedef struct HfTaint HfTaint;

HfTaint *hf_taint_new(HfStore *store);
void hf_taint_free(HfTaint *taint);

/* What the run, and the connection that calls, have read so far. A run cannot be shed by giving
 * the next call another name: the connection remembers too. When the store cannot tell, everything
 * counts as read. `named`: the caller gave the run its name. */
HfReads hf_taint_get(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named);
/* They have read this as well. Lasting for runs with a name. */
void hf_taint_add(HfTaint *taint, const HfCaller *caller, const char *run_id, gboolean named,
                  HfReads reads);
