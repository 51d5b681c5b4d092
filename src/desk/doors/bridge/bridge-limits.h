/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the bridge. */
#pragma once

#define HF_LIMIT_CLIENTS 256u
/* Answers that wait in memory for a client that does not read them, and events likewise. */
#define HF_LIMIT_CLIENT_BACKLOG_BYTES (64u * 1024 * 1024)
#define HF_LIMIT_EVENT_BACKLOG_BYTES  (256u * 1024)
/* The id of a request. */
#define HF_LIMIT_RPC_ID_BYTES 128u
/* A nonce: its length, how long it is remembered, and how many are remembered, in all and of one
 * client. */
#define HF_LIMIT_NONCE_LEAST_BYTES 16u
#define HF_LIMIT_NONCE_BYTES       128u
#define HF_LIMIT_NONCE_MS          300000
#define HF_LIMIT_NONCES            65536u
#define HF_LIMIT_CLIENT_NONCES     16384u
