/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the HTTP door. */
#pragma once

/* The port, unless the owner says otherwise. */
#define HF_HTTP_PORT 17890
/* Connections: in all, of one address, and of clients that have not shown a valid token yet (the
 * oldest of these are closed first). All bodies that are being received. */
#define HF_LIMIT_HTTP_CONNECTIONS         1024u
#define HF_LIMIT_HTTP_ADDRESS_CONNECTIONS 640u
#define HF_LIMIT_HTTP_UNAUTHENTICATED     512u
#define HF_LIMIT_HTTP_BODIES_BYTES        (256u * 1024 * 1024)
/* How long an unknown client may take for the headers of a request, a known client may be idle, a
 * body may take to arrive, and an answer to be read (and for each megabyte of it). */
#define HF_LIMIT_HTTP_HEADERS_MS  10000
#define HF_LIMIT_HTTP_IDLE_MS     75000
#define HF_LIMIT_HTTP_BODY_MS     30000
#define HF_LIMIT_HTTP_ANSWER_MS   30000
#define HF_LIMIT_HTTP_MEGABYTE_MS 10000
/* What may wait for a client that does not read its stream, and for how long. */
#define HF_LIMIT_HTTP_STREAM_BYTES (8u * 1024 * 1024)
#define HF_LIMIT_HTTP_STREAM_MS    30000
/* Back-off after a wrong token: the first delay, the longest, and addresses that are remembered. */
#define HF_LIMIT_AUTH_BACKOFF_MS        100
#define HF_LIMIT_AUTH_BACKOFF_MOST_MS   5000
#define HF_LIMIT_AUTH_BACKOFF_ADDRESSES 4096u
/* The head of a request, its path, the parts of the path, and how deep JSON may nest. */
#define HF_LIMIT_HTTP_HEAD_BYTES (32u * 1024)
#define HF_LIMIT_HTTP_PATH_BYTES 2048u
#define HF_LIMIT_HTTP_PATH_PARTS 8u
#define HF_LIMIT_JSON_DEPTH      64
/* Live views: pictures per second, at most and by default, and input that waits in one view. */
#define HF_LIMIT_STREAM_FPS    30
#define HF_STREAM_FPS          10
#define HF_LIMIT_STREAM_INPUTS 256u
/* A WebSocket: one message of its client, the time between pings, and how long a client may stay
 * silent. */
#define HF_LIMIT_SOCKET_MESSAGE_BYTES (64u * 1024)
#define HF_LIMIT_SOCKET_PING_S        15
#define HF_LIMIT_SOCKET_QUIET_MS      60000
/* MCP over HTTP: sessions; of one session, the answers that are kept for a client that lost its
 * connection, and their bytes. */
#define HF_LIMIT_MCP_SESSIONS     256u
#define HF_LIMIT_MCP_STREAMS      64u
#define HF_LIMIT_MCP_STREAM_BYTES (8u * 1024 * 1024)
