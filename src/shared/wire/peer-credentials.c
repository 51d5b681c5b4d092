/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel recorded the credentials when the connection was made; the peer cannot forge them.
 * The pid could have been reused since, so a pidfd of the process confirms it. */
#include "shared/wire/peer-credentials.h"

#include <poll.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/processes.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* Kernels before 6.5 lack the first option. */
static int open_peer(int fd, pid_t pid)
{
    int process;
    socklen_t length = sizeof process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &length) == 0)
        return process;
    return pidfd_open(pid, 0);
}

/* Reads while the pidfd shows that the process lives, so the data is its own. */
static gboolean read_peer_process(int process, HfPeerCredentials *peer)
{
    struct pollfd ended = {process, POLLIN, 0};
    HfProcess facts;
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)peer->pid);
    if (process < 0 || !hf_process_read(peer->pid, &facts))
        return FALSE;
    peer->program = g_file_read_link(link, NULL);
    peer->start_time = facts.start_time;
    return poll(&ended, 1, 0) == 0;
}

gboolean hf_peer_credentials_init(HfPeerCredentials *peer, int fd, GError **error)
{
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    *peer = (HfPeerCredentials){0};
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                       "the kernel did not report the credentials of the caller");
    *peer = (HfPeerCredentials){.pid = credentials.pid, .uid = credentials.uid};
    int process = credentials.pid > 0 ? open_peer(fd, credentials.pid) : -1;
    gboolean known = read_peer_process(process, peer);
    if (process >= 0)
        close(process);
    return known ||
           hf_fail(error, HF_ERROR_UNAUTHENTICATED,
                   "process %d, which made this connection, has ended", (int)credentials.pid);
}

void hf_peer_credentials_clear(HfPeerCredentials *peer)
{
    g_clear_pointer(&peer->program, g_free);
}
