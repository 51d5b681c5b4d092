/* SPDX-License-Identifier: Apache-2.0 */
/* Who is calling. A caller is identified by its process, not by what it claims. A process that a
 * hand has started, directly or through others, is not accepted as a caller. */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "desk/policy/identity/input-origin.h"
#include "shared/tool/tool.h"

typedef enum HfCallerKind {
    HF_CALLER_NONE,
    HF_CALLER_OWNER,  /* the user who runs the desk, in the foreground of a terminal */
    HF_CALLER_CLIENT, /* any other program of that user, or the holder of a token */
    HF_CALLER_HEAD,   /* one of our own agents, with a grant */
} HfCallerKind;

/* What the holder of a token may do besides calling tools. */
typedef enum HfRole {
    HF_ROLE_NONE,     /* no token: identified by its process */
    HF_ROLE_CLIENT,   /* nothing; sees only its own things */
    HF_ROLE_OBSERVER, /* sees everything, changes things only through tools */
    HF_ROLE_OWNER,    /* answers for the owner */
} HfRole;

typedef struct HfCaller {
    HfCallerKind kind; /* as it was at the door; to be sure: hf_caller_check_owner_in_person */
    const char *name;  /* of a client: its program or token; else "owner" */
    const char *grant; /* of a head: the grant it was started with; may be NULL */
    const char *door;  /* "bridge", "http", "mcp" */
    const char *token; /* id of its token; NULL: none */
    HfRole role;       /* of that token */
    gboolean agent;    /* speaks for a model: never the owner, wherever it runs */
    HfLevel level;     /* of that token; NONE: as the configuration says for its name */
    pid_t pid;
    guint64 start_time; /* of that process */
    uid_t uid;
    dev_t terminal;        /* its standard input at the door; 0: no terminal */
    const char *program;   /* path of its executable; may be NULL */
    const char *session;   /* where it belongs: caller-session.h; NULL with a token */
    const char *run_id;    /* for calls that name no run: one per connection */
    gint *reads;           /* atomic: HfReads that this connection received; may be NULL */
    HfInputOrigin *inputs; /* who last used the owner's desktops; may be NULL */
} HfCaller;

const char *hf_caller_kind_name(HfCallerKind kind);
/* Whether both are the same process, or hold the same token. */
gboolean hf_caller_is_same(const HfCaller *one, const HfCaller *other);
/* The identity that outlasts a process: its kind and program, else its name. */
char *hf_caller_dup_key(const HfCaller *caller);
/* A copy that outlives the connection, with a taint of its own. */
HfCaller *hf_caller_dup(const HfCaller *caller);
void hf_caller_free(HfCaller *caller);
/* Whether it may see what belongs to others: the owner, and tokens with that role. */
gboolean hf_caller_sees_all(const HfCaller *caller);

/* At a local door: UNAUTHENTICATED for a process of another user, one that has ended, one in a
 * container (another PID or user namespace), and one that any desk has started, directly or
 * indirectly, whatever has become of that desk and its stages. */
gboolean hf_caller_admit(const HfCaller *caller, GError **error);
/* The terminal that is its standard input; 0: none, or unknown. */
dev_t hf_caller_read_terminal(pid_t pid);

/* Whether it is the owner now: a process of this user that no hand has started, in the foreground
 * of its terminal, with that terminal as its standard input. Else FORBIDDEN with the reason. */
gboolean hf_caller_is_owner(const HfCaller *caller, GError **error);
/* The check before everything that only the owner may do and that loosens something (resume,
 * approve, grant, token, config): as above, and no injected input could have impersonated the
 * owner. */
gboolean hf_caller_check_owner_in_person(const HfCaller *caller, GError **error);
