/* SPDX-License-Identifier: Apache-2.0 */
/* Who is at the other end of a UNIX socket, as the kernel tells it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfPeerCredentials {
    pid_t pid;
    guint64 start_time; /* with the number, the name of exactly that process */
    uid_t uid;
    char *program; /* the path of its executable; NULL when it cannot be known */
} HfPeerCredentials;

/* UNAUTHENTICATED when it cannot be known, for instance because it has ended. */
gboolean hf_peer_credentials_init(HfPeerCredentials *peer, int fd, GError **error);
void hf_peer_credentials_clear(HfPeerCredentials *peer);
