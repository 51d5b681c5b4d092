/* SPDX-License-Identifier: Apache-2.0 */
/* Who is calling: the first thing that the guard wants to know. A caller is known by its process,
 * not by what it says; nothing that a hand has started, however far removed, is a caller at all. */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "desk/guard/policy/input-origin.h"
#include "shared/tool/tool.h"

typedef enum HfCallerKind {
    HF_CALLER_NONE,
    HF_CALLER_OWNER,  /* the person who runs the desk, in the foreground of a terminal */
    HF_CALLER_CLIENT, /* any other program of that user, or the bearer of a token */
    HF_CALLER_HEAD,   /* an agent of our own, with a grant */
} HfCallerKind;

/* What the bearer of a token may, besides calling tools. */
typedef enum HfRole {
    HF_ROLE_NONE,     /* it came with no token: it is known by its process */
    HF_ROLE_CLIENT,   /* nothing: sees what is its own */
    HF_ROLE_OBSERVER, /* see everything, change nothing but by tools */
    HF_ROLE_OWNER,    /* answer for the owner */
} HfRole;

typedef struct HfCaller {
    HfCallerKind kind; /* as it was at the door; for what only the owner may:
                          hf_caller_check_owner_in_person */
    const char *name;  /* of a client: its program's, or its token's; "owner" */
    const char *grant; /* of a head: the grant that it was started with; may be NULL */
    const char *door;  /* "bridge", "http", "mcp" */
    const char *token; /* id of the token that it came with; NULL: none */
    HfRole role;       /* of that token */
    gboolean agent;    /* it speaks for a model: never the owner, wherever it runs */
    HfLevel level;     /* of that token; NONE: what the agreement says of its name */
    pid_t pid;
    guint64 start_time; /* of that process */
    uid_t uid;
    const char *program;   /* path of its executable; may be NULL */
    const char *run_id;    /* of calls that name none: one for the connection */
    gint *reads;           /* atomic: HfReads that this connection was given; may be NULL */
    HfInputOrigin *inputs; /* whose hands were last on the owner's desktops; may be NULL */
} HfCaller;

const char *hf_caller_kind_name(HfCallerKind kind);
/* Whether what one of them asked for is the other's too: the same process, or the same token. */
gboolean hf_caller_is_same(const HfCaller *one, const HfCaller *other);
/* Who it is to what lasts longer than a process: a token, else a program. */
char *hf_caller_dup_key(const HfCaller *caller);
/* For what goes on after the caller has left: a copy of its own, whose taint is its own too. */
HfCaller *hf_caller_dup(const HfCaller *caller);
void hf_caller_free(HfCaller *caller);
/* Whether it may see what concerns others: the owner, and tokens that may. */
gboolean hf_caller_sees_all(const HfCaller *caller);

/* At a door on this machine: UNAUTHENTICATED for another user's process, one that has ended, and
 * one that a hand of any desk has started, directly or by whatever detour. */
gboolean hf_caller_admit(const HfCaller *caller, GError **error);

/* Whether it is the owner now: of this user, not started by a hand, in the foreground of its
 * terminal, and with that terminal as its standard input. Why not, when not, is FORBIDDEN. */
gboolean hf_caller_is_owner(const HfCaller *caller, GError **error);
/* The one question before everything that only the owner may and that loosens something (resume,
 * approve, grant, token, config): as above, and no input of ours could have played the owner. */
gboolean hf_caller_check_owner_in_person(const HfCaller *caller, GError **error);
