/* SPDX-License-Identifier: Apache-2.0 */
/* What is said on a SOCKS 5 connection before bytes are passed on, on any descriptor. */
#pragma once

#include <glib.h>

/* Answers, as RFC 1928 numbers them. */
typedef enum HfSocksReply {
    HF_SOCKS_REPLY_DONE = 0,
    HF_SOCKS_REPLY_NOT_ALLOWED = 2,
    HF_SOCKS_REPLY_NOT_REACHED = 4,
    HF_SOCKS_REPLY_REFUSED = 5,
} HfSocksReply;

/* Reads a greeting and answers it. FALSE: this is no SOCKS 5. We ask for no password. */
gboolean hf_socks_greet(int fd);
/* Reads where to. FALSE for anything but a connection to a host that has a name or an address. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port);
void hf_socks_reply(int fd, HfSocksReply code);
