/* SPDX-License-Identifier: Apache-2.0 */
/* A seccomp filter of system calls for a process and everything it starts. */
#pragma once

#include <glib.h>

/* `local_sockets`: whether AF_UNIX sockets are allowed. Needs no_new_privs. */
gboolean hf_sandbox_seccomp(gboolean local_sockets, GError **error);
