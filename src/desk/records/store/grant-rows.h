/* SPDX-License-Identifier: Apache-2.0 */
/* The grants that were given: what each allows, who it came from, what is used up, and whether it
 * still holds. A grant stands on the one it was handed on from: what ends that one ends it too. */
#pragma once

#include "desk/policy/config/grant.h"
#include "desk/records/store/store.h"

typedef struct HfGrantEntry {
    char *id;
    HfLevel level; /* of whoever made it; NONE: no bound of its own */
    gboolean revoked;
    gint64 calls; /* used up, where they are counted */
    HfGrant *grant;
} HfGrantEntry;

/* Who makes it, and from what. */
typedef struct HfGrantOrigin {
    const char *parent; /* the grant that it is handed on from; NULL: the owner's own */
    const char *made_by;
    HfLevel level;
} HfGrantOrigin;

/* CONFLICT when there is or was one of that id; LIMIT_EXCEEDED when it was handed on too often. */
gboolean hf_grant_rows_add(HfStore *store, const char *id, const HfGrant *grant,
                           const HfGrantOrigin *origin, GError **error);
/* The grant and those that it stands on, itself first: HfGrantEntry *. FORBIDDEN when there is
 * none.
 */
GPtrArray *hf_grant_rows_chain(HfStore *store, const char *id, GError **error);
/* Takes one call from every grant of the chain that counts them: durable, and exact however many
 * call at once. FORBIDDEN when one is used up; then nothing is taken. */
gboolean hf_grant_rows_spend(HfStore *store, const char *id, GError **error);
/* Ends it and what was handed on from it. FORBIDDEN when there is none; done already is no error.
 */
gboolean hf_grant_rows_revoke(HfStore *store, const char *id, GError **error);
/* All of them, newest first: {id, parent?, made_by, made_at, revoked, calls, grant}. */
json_t *hf_grant_rows_list(HfStore *store, GError **error);
