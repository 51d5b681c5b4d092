/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the messages between our processes. */
#pragma once

/* All attachments of one message between desk and hand. */
#define HF_LIMIT_ATTACHMENT_BYTES (256u * 1024 * 1024)
#define HF_LIMIT_ATTACHMENTS      16u
/* Descriptors that go along with one message; the kernel allows 253. */
#define HF_LIMIT_FRAME_FDS 200u
/* Calls to one hand that were sent but still wait for their release. */
#define HF_LIMIT_HELD_CALLS 256
/* Between desk and stage: one message, and how long its receiver may not read. */
#define HF_LIMIT_CHANNEL_BYTES   (64u * 1024)
#define HF_LIMIT_CHANNEL_SEND_MS 2000
/* The scale of a virtual desktop. */
#define HF_LIMIT_SCALE_LEAST 0.5
#define HF_LIMIT_SCALE_MOST  4.0
