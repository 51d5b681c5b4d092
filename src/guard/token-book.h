/* The tokens that hold: looked up by every request of the HTTP door, so they are kept in memory
 * beside the store. A token is shown once, when it is made; from then on only its hash is known. */
#pragma once

#include "guard/caller.h"
#include "store/tokens.h"

typedef struct HfTokenBook HfTokenBook;

HfTokenBook *hf_token_book_new(HfStore *store, GError **error);
void hf_token_book_free(HfTokenBook *book);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTokenBook, hf_token_book_free)

/* What is asked for in a new one. */
typedef struct HfTokenWish {
    const char *name, *grant; /* grant: may be NULL */
    HfRole role;
    HfLevel level;
    gint64 expires_ms; /* 0: never */
} HfTokenWish;

/* The token itself, to be shown and forgotten. CONFLICT when one of that name holds already;
 * LIMIT_EXCEEDED; FORBIDDEN for a grant that does not exist. */
char *hf_token_book_add(HfTokenBook *book, const HfTokenWish *wish, GError **error);
/* Another token of the same name and rights; the old one ends. INVALID_PARAMS when there is none,
 * PRECONDITION_FAILED when it has expired: its name is free then. */
char *hf_token_book_rotate(HfTokenBook *book, const char *name, GError **error);
gboolean hf_token_book_revoke(HfTokenBook *book, const char *name, GError **error);
/* [{id, name, role, level?, grant?, made, expires?, state, used?}], without what is secret. */
json_t *hf_token_book_list(HfTokenBook *book);

/* A copy of the token that these characters are, or NULL with UNAUTHENTICATED. Takes the same time
 * whatever they are. Never waits for the disk. */
HfToken *hf_token_book_find(HfTokenBook *book, const char *text, GError **error);

/* Whether one that was found earlier still holds. */
gboolean hf_token_book_holds(HfTokenBook *book, const HfToken *token);

const char *hf_role_name(HfRole role);
