/* SPDX-License-Identifier: Apache-2.0 */
/* The SOCKS 5 handshake, on any descriptor. */
#pragma once

#include <glib.h>

/* Reply codes of RFC 1928. */
typedef enum HfSocksReply {
    HF_SOCKS_REPLY_DONE = 0,
    HF_SOCKS_REPLY_NOT_ALLOWED = 2,
    HF_SOCKS_REPLY_NOT_REACHED = 4,
    HF_SOCKS_REPLY_REFUSED = 5,
} HfSocksReply;

/* Reads the greeting and answers it without authentication. FALSE if it is not SOCKS 5. */
gboolean hf_socks_greet(int fd);
/* Reads the destination. FALSE for anything but a connection to a host name or address. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port);
void hf_socks_reply(int fd, HfSocksReply code);
