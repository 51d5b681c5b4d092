/* SPDX-License-Identifier: Apache-2.0 */
/* Messages with descriptors. Anything unexpected (a second descriptor, text beyond the limit, a
 * message that is not an object) is closed or refused here, so that nothing leaks and no caller
 * has to check again. */
#include "shared/wire/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/wire-limits.h"

#define MOST_DESCRIPTORS 8 /* all but one of them are closed */

gboolean hf_channel_pair(int ret_ends[2], GError **error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot create a channel: %s", g_strerror(errno));
    struct timeval patience = {HF_LIMIT_CHANNEL_SEND_MS / 1000,
                               HF_LIMIT_CHANNEL_SEND_MS % 1000 * 1000};
    for (int i = 0; i < 2; i++) {
        setsockopt(ends[i], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        ret_ends[i] = ends[i];
    }
    return TRUE;
}

gboolean hf_channel_send(int channel, const json_t *message, int descriptor, GError **error)
{
    g_autofree char *text = hf_json_dump(message);
    struct iovec part = {text, strlen(text)};
    if (part.iov_len > HF_LIMIT_CHANNEL_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "a message of %zu bytes is too long; the limit is %u", part.iov_len,
                       HF_LIMIT_CHANNEL_BYTES);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } room = {0};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        header.msg_control = room.bytes;
        header.msg_controllen = sizeof room.bytes;
        struct cmsghdr *control = CMSG_FIRSTHDR(&header);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(control), &descriptor, sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(channel, &header, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent >= 0)
        return TRUE;
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the other process does not read");
    return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the other process is gone: %s",
                   g_strerror(errno));
}

/* The first descriptor that was received; the others are closed. */
static int take_passed_descriptor(struct msghdr *header)
{
    int kept = -1;
    for (struct cmsghdr *control = CMSG_FIRSTHDR(header); control;
         control = CMSG_NXTHDR(header, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
            continue;
        gsize count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (gsize i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(control) + i * sizeof(int), sizeof(int));
            if (kept < 0)
                kept = descriptor;
            else
                close(descriptor);
        }
    }
    return kept;
}

static json_t *parse_channel_message(const char *text, gsize length, int flags, GError **error)
{
    if (flags & MSG_TRUNC) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a message has more than %u bytes",
                HF_LIMIT_CHANNEL_BYTES);
        return NULL;
    }
    json_error_t reason;
    json_t *message = json_loadb(text, length, 0, &reason);
    if (json_is_object(message))
        return message;
    json_decref(message);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "a message is not a JSON object");
    return NULL;
}

json_t *hf_channel_receive(int channel, int *ret_descriptor, GError **error)
{
    g_autofree char *text = g_malloc(HF_LIMIT_CHANNEL_BYTES);
    struct iovec part = {text, HF_LIMIT_CHANNEL_BYTES};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
        struct cmsghdr align;
    } room = {0};
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = room.bytes,
                            .msg_controllen = sizeof room.bytes};
    ssize_t length;
    do
        length = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    if (length <= 0) {
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the other process has closed the channel");
        return NULL;
    }
    int descriptor = take_passed_descriptor(&header);
    json_t *message = parse_channel_message(text, (gsize)length, header.msg_flags, error);
    if (message && ret_descriptor)
        *ret_descriptor = descriptor;
    else if (descriptor >= 0)
        close(descriptor);
    return message;
}
