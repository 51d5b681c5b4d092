/* SPDX-License-Identifier: Apache-2.0 */
/* Copies bytes between two sockets, both ways. */
#pragma once

#include <glib.h>

/* Runs until both sides have ended, or one is broken or shut down. Makes both non-blocking, closes
 * neither. */
void hf_socket_relay_run(int one, int other);
/* Whether the peer of this loopback connection to our port belongs to a process of our user. */
gboolean hf_socket_relay_is_own_user(int fd, guint16 port);
