/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens that hold: looked up by every request of the HTTP door, so they are kept in memory
 * beside the store. A token is shown once, when it is made; from then on only its hash is known. */
#pragma once

#include "desk/guard/policy/caller.h"
#include "desk/records/store/token-rows.h"

typedef struct HfTokenStore HfTokenStore;

HfTokenStore *hf_token_store_new(HfStore *store, GError **error);
void hf_token_store_free(HfTokenStore *book);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTokenStore, hf_token_store_free)

/* What is asked for in a new one. */
typedef struct HfTokenSpec {
    const char *name, *grant; /* grant: may be NULL */
    HfRole role;
    HfLevel level;
    gint64 expires_ms; /* 0: never */
} HfTokenSpec;

/* The token itself, to be shown and forgotten. CONFLICT when one of that name holds already;
 * LIMIT_EXCEEDED; FORBIDDEN for a grant that does not exist. */
char *hf_token_store_add(HfTokenStore *book, const HfTokenSpec *wish, GError **error);
/* Another token of the same name and rights; the old one ends. INVALID_PARAMS when there is none,
 * PRECONDITION_FAILED when it has expired: its name is free then. */
char *hf_token_store_rotate(HfTokenStore *book, const char *name, GError **error);
gboolean hf_token_store_revoke(HfTokenStore *book, const char *name, GError **error);
/* [{id, name, role, level?, grant?, made, expires?, state, used?}], without what is secret. */
json_t *hf_token_store_list(HfTokenStore *book);

/* A copy of the token that these characters are, or NULL with UNAUTHENTICATED. Takes the same time
 * whatever they are. Never waits for the disk. */
HfToken *hf_token_store_find(HfTokenStore *book, const char *text, GError **error);

/* Whether one that was found earlier still holds. */
gboolean hf_token_store_is_valid(HfTokenStore *book, const HfToken *token);

const char *hf_role_name(HfRole role);
