/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes from one socket to another and back. */
#pragma once

#include <glib.h>

/* Until both sides have ended, or one is broken or shut down by somebody else. Changes both to
 * non-blocking, closes neither. */
void hf_socket_relay_run(int one, int other);
/* Whether the other end of this connection over the loopback address, to this port of ours, belongs
 * to a process of our own user. */
gboolean hf_socket_relay_is_own_user(int fd, guint16 port);
