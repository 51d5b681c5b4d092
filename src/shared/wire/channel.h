/* SPDX-License-Identifier: Apache-2.0 */
/* JSON messages over a SOCK_SEQPACKET socket between two of our processes, each with at most one
 * descriptor. For small orders and reports, not for pictures. */
#pragma once

#include "shared/base/json.h"

/* Two connected ends, both close-on-exec. A send that the other end does not read fails after a
 * short time, so neither process can block the other. */
gboolean hf_channel_pair(int ret_ends[2], GError **error);

/* Sends a copy of `descriptor` along, unless it is -1. Any thread may send. */
gboolean hf_channel_send(int channel, const json_t *message, int descriptor, GError **error);

/* Waits for the next message, always an object. `ret_descriptor` is the received descriptor, or
 * -1. DESKTOP_UNAVAILABLE: the other end has closed. Other errors concern that one message only. */
json_t *hf_channel_receive(int channel, int *ret_descriptor, GError **error);
