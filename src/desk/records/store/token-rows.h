/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: who holds them and what they allow. Only a hash of the token itself is stored. Rows are
 * never deleted, because the audit names them; a name can be used again. */
#pragma once

#include "desk/records/store/store.h"
#include "shared/tool/tool.h"

#define HF_TOKEN_HASH_BYTES 32

typedef struct HfToken {
    char *id, *name;
    guint8 hash[HF_TOKEN_HASH_BYTES];
    int role;          /* HfRole */
    HfLevel level;     /* NONE: as the configuration says for its name */
    char *grant;       /* the grant it is bound to; NULL: none */
    gint64 made_ms;    /* wall clock */
    gint64 expires_ms; /* 0: never */
    gint64 revoked_ms; /* 0: not revoked */
    gint64 used_ms;    /* last use since the desk started; not stored */
} HfToken;

void hf_token_free(HfToken *token);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfToken, hf_token_free)

/* All tokens, including invalid ones, in the order of creation. */
GPtrArray *hf_token_rows_load(HfStore *store, GError **error);
gboolean hf_token_row_add(HfStore *store, const HfToken *token, GError **error);
/* Revokes one and adds the other, in one transaction. */
gboolean hf_token_row_replace(HfStore *store, const char *id, const HfToken *with, GError **error);
gboolean hf_token_row_revoke(HfStore *store, const char *id, gint64 time_ms, GError **error);
