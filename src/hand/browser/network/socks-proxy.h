/* SPDX-License-Identifier: Apache-2.0 */
/* The only way from a browser to the network: a SOCKS 5 proxy of our own on the loopback address.
 * The browser gives it names and never looks one up itself, so every connection it makes, whatever
 * for (pages, frames, pictures, workers, WebSockets, prefetching), is asked about here by its host.
 * Serves processes of our own user only. */
#pragma once

#include "hand/browser/network/page-policy.h"
#include "shared/base/json.h"

typedef struct HfSocks HfSocks;

/* A host that nobody is connected to, and that is not spoken of. */
#define HF_SOCKS_NOWHERE "nowhere.invalid"

HfSocks *hf_socks_new(GError **error);
/* Cuts all connections; returns when their threads have ended. */
void hf_socks_free(HfSocks *socks);
guint16 hf_socks_get_port(const HfSocks *socks);

/* What the walls of the last call allow, and what the owner's agreement says now: both must. Cuts
 * connections to hosts that are not allowed any more. */
void hf_socks_take_policy(HfSocks *socks, HfPagePolicy *take_policy);
void hf_socks_take_live_policy(HfSocks *socks, HfPagePolicy *take_policy);

typedef enum HfSocksProblem {
    HF_SOCKS_REFUSED,     /* by the policy */
    HF_SOCKS_UNKNOWN,     /* nobody knows the name */
    HF_SOCKS_UNREACHABLE, /* nobody answers there */
} HfSocksProblem;

typedef struct HfSocksNote {
    HfSocksProblem problem;
    char *host;
    guint16 port;
    char *reason;
    gint64 at_us;
} HfSocksNote;

/* What went wrong since then (GPtrArray of HfSocksNote), oldest first. */
GPtrArray *hf_socks_dup_notes(HfSocks *socks, gint64 since_us);
