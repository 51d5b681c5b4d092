/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between our own processes: a JSON header and binary parts beside it. On the stream:
 * the header's length, the number of parts, each part's length (32 bits, this machine's order),
 * then the header and the parts. Lengths are checked before anything is allocated. Descriptors
 * travel with the first byte. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfFrame {
    json_t *json;
    GPtrArray *parts; /* of GBytes */
    GArray *fds;      /* of int: descriptors that go along, owned */
} HfFrame;

HfFrame *hf_frame_new(json_t *take_json);
/* Sends the descriptor along. Returns its place among those of the frame. */
guint hf_frame_take_fd(HfFrame *frame, int take_fd);
void hf_frame_free(HfFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFrame, hf_frame_free)

/* Writes the whole frame; blocks while the other side reads slowly, up to the socket's time limit.
 * Callers hold a lock, so that frames do not mix. */
gboolean hf_frame_write(int fd, const HfFrame *frame, GError **error);
/* Blocks for the next frame. NULL without an error at the end of the stream. Descriptors that came
 * with it are closed. */
HfFrame *hf_frame_read(int fd, GError **error);
/* The same, with the descriptors. There are fewer than were sent if this process has too many. */
HfFrame *hf_frame_receive(int fd, GError **error);
