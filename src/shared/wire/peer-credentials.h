/* SPDX-License-Identifier: Apache-2.0 */
/* The process at the other end of a UNIX socket, as the kernel reports it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct HfPeerCredentials {
    pid_t pid;
    guint64 start_time; /* with the pid it identifies exactly that process */
    uid_t uid;
    char *program; /* the path of its executable; NULL: unknown */
} HfPeerCredentials;

/* UNAUTHENTICATED when it cannot be determined, for instance because the process has ended. */
gboolean hf_peer_credentials_init(HfPeerCredentials *peer, int fd, GError **error);
void hf_peer_credentials_clear(HfPeerCredentials *peer);
