/* SPDX-License-Identifier: Apache-2.0 */
/* The grants: what each allows, who gave it, how much is used up, and whether it is still valid. A
 * grant that was derived from another ends with it. */
#pragma once

#include "desk/policy/config/grant.h"
#include "desk/records/store/store.h"

typedef struct HfGrantEntry {
    char *id;
    HfLevel level; /* of its creator; NONE: no bound */
    gboolean revoked;
    gint64 calls; /* used so far, if they are counted */
    HfGrant *grant;
} HfGrantEntry;

/* Who creates it, and from what. */
typedef struct HfGrantOrigin {
    const char *parent; /* the grant that it is derived from; NULL: the owner's own */
    const char *made_by;
    HfLevel level;
} HfGrantOrigin;

/* CONFLICT when that id is or was in use; LIMIT_EXCEEDED when the chain gets too long. */
gboolean hf_grant_rows_add(HfStore *store, const char *id, const HfGrant *grant,
                           const HfGrantOrigin *origin, GError **error);
/* The grant (HfGrantEntry *) followed by its parents. FORBIDDEN when there is none. */
GPtrArray *hf_grant_rows_chain(HfStore *store, const char *id, GError **error);
/* Uses one call of every grant in the chain that counts them: durable, and exact under concurrency.
 * FORBIDDEN when one is used up; then nothing is counted. */
gboolean hf_grant_rows_spend(HfStore *store, const char *id, GError **error);
/* Revokes it and what was derived from it. FORBIDDEN when there is none; revoking twice is no
 * error. */
gboolean hf_grant_rows_revoke(HfStore *store, const char *id, GError **error);
/* All of them, newest first: {id, parent?, made_by, made_at, revoked, calls, grant}. */
json_t *hf_grant_rows_list(HfStore *store, GError **error);
