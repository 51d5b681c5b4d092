/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's end of the connection to one hand: many calls in flight, each gets an answer or an
 * error. It lives as long as the hand; the next hand gets a new one. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/tool/errand.h"

typedef struct HfHandLink HfHandLink;

/* First sends the memory that the hand shares with the link. NULL with INTERNAL when there is no
 * such memory. */
HfHandLink *hf_hand_link_new(int take_fd, GError **error);
HfHandLink *hf_hand_link_ref(HfHandLink *link);
void hf_hand_link_unref(HfHandLink *link);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHandLink, hf_hand_link_unref)

/* The first message to the hand, before it may say hello: where it keeps what undo needs (NULL:
 * nowhere), and the directories of the configuration, in which it completes what an earlier hand
 * was killed over. */
gboolean hf_hand_link_send_files(HfHandLink *link, const char *files_dir, const json_t *directories,
                                 GError **error);
/* Waits for the hand's first message; FALSE with its reason when it could not open the desktop. */
gboolean hf_hand_link_wait_hello(HfHandLink *link, GError **error);
/* An event of the hand: {"type": "event", "event": NAME, ...}. Runs on the reading thread, before
 * any answer that the hand sent later. */
typedef void (*HfHandEvent)(const json_t *event, gpointer data);
/* Reads answers and events until the hand is gone, then fails the calls that are in flight. */
void hf_hand_link_run(HfHandLink *link, HfHandEvent handle, gpointer data);
/* A message without an answer: {"type": "settings" | "release" | "notify", ...}. */
gboolean hf_hand_link_send_order(HfHandLink *link, json_t *take_order, GError **error);
/* Brakes the hand ("stop", "pause", "off"). FALSE when it is alive but has not confirmed within
 * HF_LIMIT_BRAKE_MS. */
gboolean hf_hand_link_brake(HfHandLink *link, const char *kind);
/* Ends the reader and the hand. */
void hf_hand_link_hang_up(HfHandLink *link);
int hf_hand_link_get_pid(HfHandLink *link);

typedef enum HfHandState {
    HF_HAND_FINE,
    HF_HAND_HUNG, /* did not answer a cancellation either: end it */
} HfHandState;

HfResult *hf_hand_link_call(HfHandLink *link, HfErrand *errand, HfHandState *ret_state,
                            GError **error);
