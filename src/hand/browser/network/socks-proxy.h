/* SPDX-License-Identifier: Apache-2.0 */
/* The only way from a browser to the network: a SOCKS 5 proxy on the loopback address. The browser
 * passes host names and never resolves one itself, so every connection (pages, frames, pictures,
 * workers, WebSockets, prefetching) is checked here by host. It serves only processes of our own
 * user. */
#pragma once

#include "hand/browser/network/page-policy.h"
#include "shared/base/json.h"

typedef struct HfSocks HfSocks;

/* A host that is never connected to and never reported. */
#define HF_SOCKS_NOWHERE "nowhere.invalid"

/* `next_proxy`: the port of the desktop's own proxy on the loopback address, through which all but
 * that address is reached; 0: there is none. */
HfSocks *hf_socks_new(guint16 next_proxy, GError **error);
/* Closes all connections; returns when their threads have ended. */
void hf_socks_free(HfSocks *socks);
guint16 hf_socks_get_port(const HfSocks *socks);

/* Sets what the walls of the last call allow, and what the owner's policy says now: both have to
 * allow a host. Closes connections to hosts that are no longer allowed. */
void hf_socks_take_policy(HfSocks *socks, HfPagePolicy *take_policy);
void hf_socks_take_live_policy(HfSocks *socks, HfPagePolicy *take_policy);

typedef enum HfSocksProblem {
    HF_SOCKS_REFUSED,     /* by the policy */
    HF_SOCKS_UNKNOWN,     /* the name does not resolve */
    HF_SOCKS_UNREACHABLE, /* the server does not answer */
} HfSocksProblem;

typedef struct HfSocksNote {
    HfSocksProblem problem;
    char *host;
    guint16 port;
    char *reason;
    gint64 at_us;
} HfSocksNote;

/* The problems since then (HfSocksNote), oldest first. */
GPtrArray *hf_socks_dup_notes(HfSocks *socks, gint64 since_us);
