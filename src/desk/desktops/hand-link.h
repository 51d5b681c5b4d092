/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's end of the wire to one hand: many calls in flight at once, each answered or given a
 * reason why not. It lives as long as that hand; the next hand gets a new one. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/tool/errand.h"

typedef struct HfHandLink HfHandLink;

/* The other end is the hand's, who finds there first the memory that it shares with the link. NULL
 * with INTERNAL when there is no memory to share with it. */
HfHandLink *hf_hand_link_new(int take_fd, GError **error);
HfHandLink *hf_hand_link_ref(HfHandLink *link);
void hf_hand_link_unref(HfHandLink *link);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHandLink, hf_hand_link_unref)

/* Waits for the hand's first word; FALSE with its reason when it could not open the desktop. */
gboolean hf_hand_link_wait_hello(HfHandLink *link, GError **error);
/* What a hand tells by itself: {"type": "event", "event": NAME, ...}. On the link's own thread,
 * before any answer that the hand sent later. */
typedef void (*HfHandEvent)(const json_t *event, gpointer data);
/* Reads answers and events until the hand is gone, then fails the calls that are in flight. */
void hf_hand_link_run(HfHandLink *link, HfHandEvent handle, gpointer data);
/* Something that has no answer: {"type": "settings" | "release" | "notify", ...}. */
gboolean hf_hand_link_send_order(HfHandLink *link, json_t *take_order, GError **error);
/* Tells the hand to brake ("stop", "pause", "off"). FALSE when it has not confirmed that it did
 * within HF_LIMIT_BRAKE_MS, though it is still there. */
gboolean hf_hand_link_brake(HfHandLink *link, const char *kind);
/* Makes the reader and the hand leave. */
void hf_hand_link_hang_up(HfHandLink *link);
int hf_hand_link_get_pid(HfHandLink *link);

typedef enum HfHandState {
    HF_HAND_FINE,
    HF_HAND_HUNG, /* did not even answer a cancellation: end it */
} HfHandState;

HfResult *hf_hand_link_call(HfHandLink *link, HfErrand *errand, HfHandState *ret_state,
                            GError **error);
