/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON message at a time over a SOCK_SEQPACKET socket between two of our processes, each with
 * at most one descriptor handed over. For small orders and reports, not for pictures. */
#pragma once

#include "shared/base/json.h"

/* Two joined ends, both closed on exec. A send that the other end does not take fails after a
 * short while, so that neither process can hold up the other. */
gboolean hf_channel_pair(int ret_ends[2], GError **error);

/* Sends a copy of `descriptor` along, unless it is -1. Any thread may send. */
gboolean hf_channel_send(int channel, const json_t *message, int descriptor, GError **error);

/* Waits for the next message, always an object. `ret_descriptor` is what came along, or -1.
 * DESKTOP_UNAVAILABLE: the other end has closed. Other errors: that one message was no good. */
json_t *hf_channel_receive(int channel, int *ret_descriptor, GError **error);
