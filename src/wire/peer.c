/* Peer credentials: taken when the connection was made, not claimed by the peer. */
#include "wire/peer.h"

#include <sys/socket.h>

#include "base/error.h"

gboolean hf_peer_init(HfPeer *peer, int fd, GError **error)
{
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
        return hf_fail(error, HF_ERROR_UNAUTHENTICATED, "the kernel does not say who is calling");
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)credentials.pid);
    *peer = (HfPeer){credentials.pid, credentials.uid, g_file_read_link(link, NULL)};
    return TRUE;
}

void hf_peer_clear(HfPeer *peer)
{
    g_clear_pointer(&peer->program, g_free);
}
