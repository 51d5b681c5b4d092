/* SPDX-License-Identifier: Apache-2.0 */
/* One connection on the bridge: lines in, lines out, and its calls in flight. Read on the main
 * thread; written from any. */
#pragma once

#include <gio/gio.h>

#include "desk/policy/identity/caller.h"
#include "shared/base/json.h"

typedef struct HfBridgeClient HfBridgeClient;

/* On the main thread: with each line; and once, when the connection has ended. */
typedef void (*HfBridgeLine)(HfBridgeClient *client, GBytes *line, gpointer data);
typedef void (*HfBridgeGone)(HfBridgeClient *client, gpointer data);

/* NULL with UNAUTHENTICATED when the peer belongs to another user or was started by a hand. The
 * peer gets the reason, and the descriptor is closed. The error's details are {pid, uid,
 * program}. */
HfBridgeClient *hf_bridge_client_new(int take_fd, HfInputOrigin *inputs, HfBridgeLine line,
                                     HfBridgeGone gone, gpointer data, GError **error);
HfBridgeClient *hf_bridge_client_ref(HfBridgeClient *client);
void hf_bridge_client_unref(HfBridgeClient *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBridgeClient, hf_bridge_client_unref)

const HfCaller *hf_bridge_client_get_caller(const HfBridgeClient *client);
/* Sends one line (with its newline). A client with too large a backlog is dropped. */
void hf_bridge_client_send(HfBridgeClient *client, const char *text, gsize length);
/* The same with descriptors, which travel with the line's first byte (see outbox.h). */
void hf_bridge_client_send_with(HfBridgeClient *client, const char *text, gsize length,
                                GArray *take_fds, gsize fd_bytes);
/* The bytes that wait for the client to read them. */
gsize hf_bridge_client_get_backlog(HfBridgeClient *client);
/* Main thread only: sets what feeds the client until it closes; `drained` is called when the client
 * has read everything. NULL removes it. */
void hf_bridge_client_set_feed(HfBridgeClient *client, gpointer take_feed, GDestroyNotify free,
                               void (*drained)(gpointer feed));
/* Main thread only: from the next line on, lines go to `line` with `take_data`; `end` gets that
 * data when the connection closes. */
void hf_bridge_client_hand_over(HfBridgeClient *client, HfBridgeLine line, gpointer take_data,
                                GDestroyNotify end);
/* Main thread only: takes no more lines until the client is released; received bytes wait. */
void hf_bridge_client_hold(HfBridgeClient *client);
void hf_bridge_client_release(HfBridgeClient *client);
/* Main thread only: cancels its calls and closes the socket. */
void hf_bridge_client_close(HfBridgeClient *client);

/* Calls in flight, by the text of their id; calls without an id (NULL) are told apart. Returns the
 * key that ends the call, or NULL when there are too many or the id is in flight. */
char *hf_bridge_client_begin_call(HfBridgeClient *client, const char *id,
                                  GCancellable **ret_cancellable);
void hf_bridge_client_end_call(HfBridgeClient *client, const char *key);
/* One of its calls starts or stops waiting for a person: others may take its place. */
void hf_bridge_client_set_waiting(HfBridgeClient *client, gboolean waiting);
gboolean hf_bridge_client_cancel_call(HfBridgeClient *client, const char *id);
