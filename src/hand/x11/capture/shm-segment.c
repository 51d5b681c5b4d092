/* SPDX-License-Identifier: Apache-2.0 */
/* Segments by memfd and ShmAttachFd. The descriptor can only travel through a UNIX socket, and
 * trying it on another kind would end the connection: that is asked first. */
#include "hand/x11/capture/shm-segment.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/shm.h>

static gboolean is_local(HfX11Connection *connection)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    int fd = xcb_get_file_descriptor(connection->xcb);
    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
           address.ss_family == AF_UNIX;
}

gboolean hf_x11_segment_supported(HfX11Connection *connection)
{
    if (!is_local(connection) || !hf_x11_extension(connection, &xcb_shm_id))
        return FALSE;
    xcb_shm_query_version_reply_t *version =
        xcb_shm_query_version_reply(connection->xcb, xcb_shm_query_version(connection->xcb), NULL);
    /* 1.2 brought descriptors. */
    gboolean enough = version && (version->major_version > 1 || version->minor_version >= 2);
    free(version);
    return enough;
}

HfX11Segment *hf_x11_segment_new(HfX11Connection *connection, gsize size)
{
    int fd = memfd_create("handfast-screen", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *bytes = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0)
        bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) {
        close(fd);
        return NULL;
    }
    guint32 id = xcb_generate_id(connection->xcb);
    /* The library closes the descriptor once it is sent. */
    xcb_void_cookie_t attach = xcb_shm_attach_fd_checked(connection->xcb, id, fd, FALSE);
    xcb_generic_error_t *refused = xcb_request_check(connection->xcb, attach);
    if (refused || xcb_connection_has_error(connection->xcb)) {
        free(refused);
        munmap(bytes, size);
        return NULL;
    }
    HfX11Segment *segment = g_new(HfX11Segment, 1);
    *segment = (HfX11Segment){id, bytes, size};
    return segment;
}

void hf_x11_segment_free(HfX11Connection *connection, HfX11Segment *segment)
{
    if (!segment)
        return;
    if (connection) {
        xcb_shm_detach(connection->xcb, segment->id);
        xcb_flush(connection->xcb);
    }
    munmap(segment->bytes, segment->size);
    g_free(segment);
}
