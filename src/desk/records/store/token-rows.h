/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens that were given out: whose they are and what they may. Of the token itself only a hash is
 * here. Rows are never removed, since the audit names them; a name can be given again. */
#pragma once

#include "desk/records/store/store.h"
#include "shared/tool/tool.h"

#define HF_TOKEN_HASH_BYTES 32

typedef struct HfToken {
    char *id, *name;
    guint8 hash[HF_TOKEN_HASH_BYTES];
    int role;          /* HfRole */
    HfLevel level;     /* NONE: what the agreement says of its name */
    char *grant;       /* that it is bound to; NULL: none */
    gint64 made_ms;    /* wall clock */
    gint64 expires_ms; /* 0: never */
    gint64 revoked_ms; /* 0: holds */
    gint64 used_ms;    /* last time in this life of the desk; not stored */
} HfToken;

void hf_token_free(HfToken *token);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfToken, hf_token_free)

/* All of them, also those that hold no more, in the order in which they were made. */
GPtrArray *hf_token_rows_load(HfStore *store, GError **error);
gboolean hf_token_row_add(HfStore *store, const HfToken *token, GError **error);
/* In one step: the one ends, the other takes its place. */
gboolean hf_token_row_replace(HfStore *store, const char *id, const HfToken *with, GError **error);
gboolean hf_token_row_revoke(HfStore *store, const char *id, gint64 time_ms, GError **error);
