/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a desktop's proxy. */
#pragma once

/* Connections of all programs of a desktop at a time. */
#define HF_LIMIT_PROXY_CLIENTS 512u
/* Request line and headers of one HTTP request, and how long they may take to arrive. */
#define HF_LIMIT_PROXY_HEAD_BYTES ((gsize)32 * 1024)
#define HF_LIMIT_PROXY_HEAD_MS    15000
/* Sizes of chunks and trailers in a chunked body, beside the data. */
#define HF_LIMIT_PROXY_CHUNK_LINE_BYTES 8192u
/* A connection without a byte in either direction. */
#define HF_LIMIT_PROXY_IDLE_MS (15 * 60 * 1000)
/* The same, after a client has sent more than its request: it waits for the answer of the first. */
#define HF_LIMIT_PROXY_SURPLUS_MS 5000
/* How long a client may go on to send after it was answered. */
#define HF_LIMIT_PROXY_LINGER_MS 1000
/* Addresses of one host that are tried. */
#define HF_LIMIT_PROXY_ADDRESSES 4u
/* Refusals that are reported to the desk, in so many milliseconds. */
#define HF_LIMIT_PROXY_REPORTS    20u
#define HF_LIMIT_PROXY_REPORTS_MS 60000
