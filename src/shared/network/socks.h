/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake of SOCKS 5 (RFC 1928), without authentication. It reads exactly its own bytes: what
 * follows belongs to the other side. */
#pragma once

#include <glib.h>

/* Reply codes of RFC 1928. */
typedef enum HfSocksReply {
    HF_SOCKS_REPLY_DONE = 0,
    HF_SOCKS_REPLY_NOT_ALLOWED = 2,
    HF_SOCKS_REPLY_NOT_REACHED = 3,
    HF_SOCKS_REPLY_UNKNOWN = 4, /* the name does not resolve */
    HF_SOCKS_REPLY_REFUSED = 5,
} HfSocksReply;

/* Reads the greeting and answers it without authentication. FALSE if it is not SOCKS 5. */
gboolean hf_socks_greet(int fd);
/* Reads the destination. FALSE for anything but a connection to a host name or address. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port);
void hf_socks_send_reply(int fd, HfSocksReply code);

/* The other side: asks a proxy for a connection, and waits for its reply as long as that takes.
 * FALSE: it does not speak SOCKS 5, or has hung up. */
gboolean hf_socks_ask(int fd, const char *host, guint16 port, HfSocksReply *ret_reply);
