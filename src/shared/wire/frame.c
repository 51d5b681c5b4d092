/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on a stream socket. The caller closes the stream of a peer that sends garbage; such a
 * peer can neither make us allocate without limit nor read past what it sent. */
#include "shared/wire/frame.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/json-write.h"
#include "shared/base/limits.h"
#include "shared/wire/wire-limits.h"

typedef struct Lengths {
    guint32 header;
    guint32 count;
    guint32 parts[HF_LIMIT_ATTACHMENTS];
} Lengths;

/* Room for the descriptors of one message. */
typedef union FdRoom {
    char bytes[CMSG_SPACE(sizeof(int) * HF_LIMIT_FRAME_FDS)];
    struct cmsghdr align;
} FdRoom;

HfFrame *hf_frame_new(json_t *take_json)
{
    HfFrame *frame = g_new(HfFrame, 1);
    *frame = (HfFrame){take_json, g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref),
                       g_array_new(FALSE, FALSE, sizeof(int))};
    g_array_set_clear_func(frame->fds, (GDestroyNotify)hf_fd_close);
    return frame;
}

guint hf_frame_take_fd(HfFrame *frame, int take_fd)
{
    g_array_append_val(frame->fds, take_fd);
    return frame->fds->len - 1;
}

void hf_frame_free(HfFrame *frame)
{
    if (!frame)
        return;
    json_decref(frame->json);
    g_ptr_array_unref(frame->parts);
    g_array_unref(frame->fds);
    g_free(frame);
}

static void attach_fds(struct msghdr *message, FdRoom *room, const GArray *fds)
{
    gsize size = sizeof(int) * fds->len;
    if (size == 0)
        return;
    memset(room, 0, sizeof *room);
    message->msg_control = room->bytes;
    message->msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *control = CMSG_FIRSTHDR(message);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(control), fds->data, size);
}

static gboolean send_frame_pieces(int fd, struct iovec *pieces, size_t count, const GArray *fds,
                                  GError **error)
{
    FdRoom room;
    gboolean begun = FALSE;
    while (count > 0) {
        struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
        if (!begun)
            attach_fds(&message, &room, fds);
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN) /* the socket's time limit */
            return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the other process does not read");
        if (sent < 0)
            return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the other process is gone: %s",
                           g_strerror(errno));
        begun = TRUE;
        while (count > 0 && (size_t)sent >= pieces->iov_len) {
            sent -= (ssize_t)pieces->iov_len;
            pieces++;
            count--;
        }
        if (count > 0) {
            pieces->iov_base = (char *)pieces->iov_base + sent;
            pieces->iov_len -= (size_t)sent;
        }
    }
    return TRUE;
}

gboolean hf_frame_write(int fd, const HfFrame *frame, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hf_json_write(text, frame->json, 0);
    gsize length = text->len;
    if (length == 0 || length > HF_LIMIT_REQUEST_BYTES ||
        frame->parts->len > HF_LIMIT_ATTACHMENTS || frame->fds->len > HF_LIMIT_FRAME_FDS)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a message of %zu bytes is too large",
                       length);
    Lengths lengths = {(guint32)length, frame->parts->len, {0}};
    struct iovec pieces[HF_LIMIT_ATTACHMENTS + 2] = {
        {&lengths, offsetof(Lengths, parts) + frame->parts->len * sizeof(guint32)},
        {text->str, length},
    };
    gsize total = 0;
    for (guint i = 0; i < frame->parts->len; i++) {
        gsize size;
        gconstpointer data = g_bytes_get_data(frame->parts->pdata[i], &size);
        total += size;
        if (total > HF_LIMIT_ATTACHMENT_BYTES)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%zu bytes are too many at once", total);
        lengths.parts[i] = (guint32)size;
        pieces[i + 2] = (struct iovec){(gpointer)data, size};
    }
    return send_frame_pieces(fd, pieces, frame->parts->len + 2, frame->fds, error);
}

static void take_fds(struct msghdr *message, GArray *fds)
{
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control;
         control = CMSG_NXTHDR(message, control))
        if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS)
            g_array_append_vals(fds, CMSG_DATA(control),
                                (guint)((control->cmsg_len - CMSG_LEN(0)) / sizeof(int)));
}

/* Descriptors that nobody takes are closed by the kernel. */
static ssize_t read_with_fds(int fd, gpointer buffer, gsize length, GArray *fds)
{
    if (!fds)
        return read(fd, buffer, length);
    FdRoom room;
    struct iovec piece = {buffer, length};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (got > 0)
        take_fds(&message, fds);
    return got;
}

/* 1: complete, 0: end of the stream before the first byte, -1: error set. */
static int read_frame_bytes(int fd, gpointer buffer, gsize length, GArray *fds, GError **error)
{
    gsize done = 0;
    while (done < length) {
        ssize_t got = read_with_fds(fd, (char *)buffer + done, length - done, fds);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 && done == 0)
            return 0;
        if (got <= 0) {
            hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                    "the other process ended in the middle of a message");
            return -1;
        }
        done += (gsize)got;
    }
    return 1;
}

static gboolean read_lengths(int fd, Lengths *lengths, GArray *fds, GError **error)
{
    int status = read_frame_bytes(fd, lengths, offsetof(Lengths, parts), fds, error);
    if (status <= 0)
        return FALSE;
    if (lengths->header == 0 || lengths->header > HF_LIMIT_REQUEST_BYTES ||
        lengths->count > HF_LIMIT_ATTACHMENTS)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "the other process sent a malformed message");
    gsize total = 0;
    if (lengths->count > 0 &&
        read_frame_bytes(fd, lengths->parts, lengths->count * sizeof(guint32), NULL, error) <= 0)
        return FALSE;
    for (guint i = 0; i < lengths->count; i++)
        total += lengths->parts[i];
    if (total > HF_LIMIT_ATTACHMENT_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "the other process sent a message that is too large");
    return TRUE;
}

/* `fds` gets the descriptors; NULL: they are closed. */
static HfFrame *read_frame(int fd, GArray *fds, GError **error)
{
    Lengths lengths = {0};
    if (!read_lengths(fd, &lengths, fds, error))
        return NULL;
    g_autofree char *text = g_malloc(lengths.header);
    if (read_frame_bytes(fd, text, lengths.header, NULL, error) <= 0)
        return NULL;
    json_t *json = json_loadb(text, lengths.header, 0, NULL);
    if (!json_is_object(json)) {
        json_decref(json);
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "the other process sent a malformed message");
        return NULL;
    }
    g_autoptr(HfFrame) frame = hf_frame_new(json);
    for (guint i = 0; i < lengths.count; i++) {
        guint8 *part = g_malloc(MAX(1, lengths.parts[i]));
        g_ptr_array_add(frame->parts, g_bytes_new_take(part, lengths.parts[i]));
        if (lengths.parts[i] > 0 && read_frame_bytes(fd, part, lengths.parts[i], NULL, error) <= 0)
            return NULL;
    }
    return g_steal_pointer(&frame);
}

HfFrame *hf_frame_read(int fd, GError **error)
{
    return read_frame(fd, NULL, error);
}

HfFrame *hf_frame_receive(int fd, GError **error)
{
    g_autoptr(GArray) fds = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_set_clear_func(fds, (GDestroyNotify)hf_fd_close);
    HfFrame *frame = read_frame(fd, fds, error);
    if (frame) {
        g_array_unref(frame->fds);
        frame->fds = g_steal_pointer(&fds);
    }
    return frame;
}
