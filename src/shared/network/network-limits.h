/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of our proxies. */
#pragma once

/* How long a client may take for each part of its request. */
#define HF_LIMIT_PROXY_GREETING_MS 10000
/* Resolving a host and connecting to one of its addresses; and how long the answer of a proxy that
 * does so for us may take. */
#define HF_LIMIT_PROXY_CONNECT_S 20
#define HF_LIMIT_PROXY_REPLY_MS  ((2 * HF_LIMIT_PROXY_CONNECT_S + 20) * 1000)
