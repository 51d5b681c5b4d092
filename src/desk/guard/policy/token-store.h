/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of the HTTP door. Every request looks one up, so they are cached in memory. A token is
 * shown once, when it is created; after that only its hash is known. */
#pragma once

#include "desk/policy/identity/caller.h"
#include "desk/records/store/token-rows.h"

typedef struct HfTokenStore HfTokenStore;

HfTokenStore *hf_token_store_new(HfStore *store, GError **error);
void hf_token_store_free(HfTokenStore *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTokenStore, hf_token_store_free)

/* What a new token should be. */
typedef struct HfTokenSpec {
    const char *name, *grant; /* grant: may be NULL */
    HfRole role;
    HfLevel level;
    gint64 expires_ms; /* 0: never */
} HfTokenSpec;

/* The token itself, to be shown once. CONFLICT when a valid one has that name; LIMIT_EXCEEDED;
 * FORBIDDEN for a grant that does not exist. */
char *hf_token_store_add(HfTokenStore *tokens, const HfTokenSpec *spec, GError **error);
/* Replaces a token by one of the same name and rights. INVALID_PARAMS when there is none,
 * PRECONDITION_FAILED when it has expired: its name is free then. */
char *hf_token_store_rotate(HfTokenStore *tokens, const char *name, GError **error);
gboolean hf_token_store_revoke(HfTokenStore *tokens, const char *name, GError **error);
/* [{id, name, role, level?, grant?, made, expires?, state, used?}], without secrets. */
json_t *hf_token_store_list(HfTokenStore *tokens);

/* A copy of the token with this text, or NULL with UNAUTHENTICATED. Runs in constant time, and
 * never waits for the disk. */
HfToken *hf_token_store_find(HfTokenStore *tokens, const char *text, GError **error);

/* Whether one that was found earlier is still valid. */
gboolean hf_token_store_is_valid(HfTokenStore *tokens, const HfToken *token);

const char *hf_role_name(HfRole role);
