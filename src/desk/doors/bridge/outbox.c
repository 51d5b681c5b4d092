/* SPDX-License-Identifier: Apache-2.0 */
/* A client that does not read must not use more memory than its backlog allows: neither as bytes
 * that wait here, nor as memory behind descriptors that wait here or in the socket, where the
 * kernel counts only the line. */
#include "desk/doors/bridge/outbox.h"

#include <errno.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "shared/wire/wire-limits.h"

/* Descriptors that travel with the waiting byte at `at`. */
typedef struct Parcel {
    gsize at;
    GArray *fds;
} Parcel;

struct HfOutbox {
    int fd;
    GString *waiting;
    GQueue parcels;    /* of Parcel, in order */
    gsize unread_size; /* memory behind descriptors that may not have been read yet */
};

static void close_fds(GArray *take_fds)
{
    for (guint i = 0; take_fds && i < take_fds->len; i++)
        close(g_array_index(take_fds, int, i));
    if (take_fds)
        g_array_unref(take_fds);
}

static void parcel_free(Parcel *parcel)
{
    close_fds(parcel->fds);
    g_free(parcel);
}

HfOutbox *hf_outbox_new(int fd)
{
    HfOutbox *outbox = g_new0(HfOutbox, 1);
    outbox->fd = fd;
    outbox->waiting = g_string_new(NULL);
    g_queue_init(&outbox->parcels);
    return outbox;
}

void hf_outbox_free(HfOutbox *outbox)
{
    if (!outbox)
        return;
    g_queue_clear_full(&outbox->parcels, (GDestroyNotify)parcel_free);
    g_string_free(outbox->waiting, TRUE);
    g_free(outbox);
}

gsize hf_outbox_get_length(const HfOutbox *outbox)
{
    return outbox->waiting->len;
}

gboolean hf_outbox_is_empty(const HfOutbox *outbox)
{
    return outbox->waiting->len == 0;
}

static void attach_descriptors(struct msghdr *message, GArray *fds, char *control, gsize room)
{
    gsize size = fds->len * sizeof(int);
    memset(control, 0, room);
    message->msg_control = control;
    message->msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), fds->data, size);
}

/* One write. Returns the bytes taken, 0 when the socket is full, -1 when it is broken. */
static gssize write_once(int fd, const char *text, gsize length, GArray *fds)
{
    struct iovec part = {(void *)text, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(HF_LIMIT_ATTACHMENTS * sizeof(int))];
    if (fds)
        attach_descriptors(&message, fds, control, sizeof control);
    gssize sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 && errno == EAGAIN ? 0 : sent;
}

/* Writes until the socket is full; the descriptors go with the first byte. -1 when it is broken. */
static gssize write_some(int fd, const char *text, gsize length, GArray *fds)
{
    gsize done = 0;
    while (done < length) {
        gssize sent = write_once(fd, text + done, length - done, done == 0 ? fds : NULL);
        if (sent < 0)
            return -1;
        if (sent == 0)
            break;
        done += (gsize)sent;
    }
    return (gssize)done;
}

static gboolean flush_from(HfOutbox *outbox, gsize *done)
{
    while (*done < outbox->waiting->len) {
        Parcel *parcel = g_queue_peek_head(&outbox->parcels);
        gboolean begins = parcel && parcel->at == *done;
        const Parcel *next = begins ? g_queue_peek_nth(&outbox->parcels, 1) : parcel;
        gsize end = next ? next->at : outbox->waiting->len;
        gssize sent = write_some(outbox->fd, outbox->waiting->str + *done, end - *done,
                                 begins ? parcel->fds : NULL);
        if (sent <= 0)
            return sent == 0;
        if (begins)
            parcel_free(g_queue_pop_head(&outbox->parcels));
        *done += (gsize)sent;
        if (*done < end)
            return TRUE;
    }
    return TRUE;
}

gboolean hf_outbox_flush(HfOutbox *outbox)
{
    gsize done = 0;
    gboolean fine = flush_from(outbox, &done);
    g_string_erase(outbox->waiting, 0, (gssize)done);
    for (GList *link = outbox->parcels.head; link; link = link->next)
        ((Parcel *)link->data)->at -= done;
    return fine;
}

/* Whether the client's backlog has room for the memory behind the descriptors. */
static gboolean has_backlog_room(HfOutbox *outbox, gsize fd_bytes)
{
    int unread = 0;
    if (hf_outbox_is_empty(outbox) && ioctl(outbox->fd, SIOCOUTQ, &unread) == 0 && unread == 0)
        outbox->unread_size = 0;
    outbox->unread_size += fd_bytes;
    return outbox->unread_size <= MAX(HF_LIMIT_CLIENT_BACKLOG_BYTES, fd_bytes);
}

gboolean hf_outbox_send(HfOutbox *outbox, const char *text, gsize length, GArray *take_fds,
                        gsize fd_bytes)
{
    gssize done = 0;
    gboolean room = !take_fds || has_backlog_room(outbox, fd_bytes);
    if (room && hf_outbox_is_empty(outbox))
        done = write_some(outbox->fd, text, length, take_fds);
    if (!room || done < 0 || done == (gssize)length) {
        close_fds(take_fds);
        return room && done >= 0;
    }
    if (take_fds && done == 0) {
        Parcel *parcel = g_new0(Parcel, 1);
        *parcel = (Parcel){outbox->waiting->len, take_fds};
        g_queue_push_tail(&outbox->parcels, parcel);
    } else {
        close_fds(take_fds);
    }
    g_string_append_len(outbox->waiting, text + done, (gssize)length - done);
    return outbox->waiting->len <= HF_LIMIT_CLIENT_BACKLOG_BYTES;
}
