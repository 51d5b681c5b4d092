/* SPDX-License-Identifier: Apache-2.0 */
/* Taint: which callers have read text that others wrote. Such text may hold instructions that the
 * owner never gave, so the policy can be stricter with these callers. It is kept by caller and
 * desktop, and by run where the caller named one; a connection that has read something counts on
 * every desktop. It ends when the owner clears it, or some hours after the last reading. */
#pragma once

#include <jansson.h>

#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/store/store.h"
#include "shared/tool/tool.h"

typedef struct HfTaint HfTaint;

/* The time comes from `clock` (milliseconds since 1970); NULL: the system's. */
HfTaint *hf_taint_new(HfStore *store, gint64 (*clock)(void));
void hf_taint_free(HfTaint *taint);

/* How long taint lasts after the last reading, as the owner says. */
gint64 hf_taint_keep_ms(const HfConfig *config);

/* Who acts, and where. `run_id`: NULL unless the caller named it. */
typedef struct HfTaintScope {
    const HfCaller *caller;
    const char *desktop, *run_id;
    gint64 keep_ms;
} HfTaintScope;

/* What was read, since when, and by which tool last ("": not known). */
typedef struct HfTaintFacts {
    HfReads reads;
    gint64 since_ms; /* 0: not known */
    const char *tool;
} HfTaintFacts;

/* No reads: not tainted. When the store cannot be read, everything counts as read. */
HfTaintFacts hf_taint_get(HfTaint *taint, const HfTaintScope *scope);
void hf_taint_add(HfTaint *taint, const HfTaintScope *scope, const char *tool, HfReads reads);

/* What still holds: [{name, key, desktop?, run?, reads, tool, since, seen, expires}]. */
json_t *hf_taint_list(HfTaint *taint, gint64 keep_ms, GError **error);
/* The keys of the callers that have this name or key, or of all (NULL). */
char **hf_taint_dup_keys(HfTaint *taint, const char *who, GError **error);
/* Forgets what a caller has read (by its key), also its runs and its open connections; NULL: what
 * everybody has. */
gboolean hf_taint_clear(HfTaint *taint, const char *key, GError **error);

/* Why a caller is held back: {since, tool, reads, clear}; `clear` is the owner's command. */
json_t *hf_taint_describe(const HfTaintFacts *facts, const HfCaller *caller);
