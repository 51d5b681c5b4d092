/* SPDX-License-Identifier: Apache-2.0 */
/* One connection on the bridge: lines in, lines out, and the calls it has in flight. Read on the
 * main thread; written from any. */
#pragma once

#include <gio/gio.h>

#include "desk/policy/identity/caller.h"
#include "shared/base/json.h"

typedef struct HfBridgeClient HfBridgeClient;

/* Called on the main thread with each line; and once, when the connection is gone. */
typedef void (*HfBridgeLine)(HfBridgeClient *client, GBytes *line, gpointer data);
typedef void (*HfBridgeGone)(HfBridgeClient *client, gpointer data);

/* NULL with UNAUTHENTICATED when the peer is another user's or a hand's doing. It is told so, and
 * the descriptor is closed. The details of the error are {pid, uid, program}. */
HfBridgeClient *hf_bridge_client_new(int take_fd, HfInputOrigin *inputs, HfBridgeLine line,
                                     HfBridgeGone gone, gpointer data, GError **error);
HfBridgeClient *hf_bridge_client_ref(HfBridgeClient *client);
void hf_bridge_client_unref(HfBridgeClient *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBridgeClient, hf_bridge_client_unref)

const HfCaller *hf_bridge_client_get_caller(const HfBridgeClient *client);
/* Sends one line (with its newline); drops a client that lets too much pile up. */
void hf_bridge_client_send(HfBridgeClient *client, const char *text, gsize length);
/* The same with descriptors, which come with the line's first byte (see outbox.h). */
void hf_bridge_client_send_with(HfBridgeClient *client, const char *text, gsize length,
                                GArray *take_fds, gsize fd_bytes);
/* What waits for the client to read. */
gsize hf_bridge_client_get_backlog(HfBridgeClient *client);
/* Main thread only: belongs to the client until it closes; `drained` is called when all that
 * waited has been read. NULL takes it away. */
void hf_bridge_client_set_feed(HfBridgeClient *client, gpointer take_feed, GDestroyNotify free,
                               void (*drained)(gpointer feed));
/* Main thread only: from the next line on, lines go to `line` with `take_data`; `end` gets that
 * when the connection closes. */
void hf_bridge_client_hand_over(HfBridgeClient *client, HfBridgeLine line, gpointer take_data,
                                GDestroyNotify end);
/* Main thread only: no line of it is taken any more until it is released; what was received waits.
 */
void hf_bridge_client_hold(HfBridgeClient *client);
void hf_bridge_client_release(HfBridgeClient *client);
/* Main thread only: cancels its calls and lets go of the socket. */
void hf_bridge_client_close(HfBridgeClient *client);

/* Calls in flight, by the text of their id; without an id (NULL) each is one of its own. Returns
 * the key to end it with, or NULL when there are too many already or that id is in flight. */
char *hf_bridge_client_begin_call(HfBridgeClient *client, const char *id,
                                  GCancellable **ret_cancellable);
void hf_bridge_client_end_call(HfBridgeClient *client, const char *key);
/* One of its calls begins or ends to wait for a person: others may come in its place. */
void hf_bridge_client_set_waiting(HfBridgeClient *client, gboolean waiting);
gboolean hf_bridge_client_cancel_call(HfBridgeClient *client, const char *id);
