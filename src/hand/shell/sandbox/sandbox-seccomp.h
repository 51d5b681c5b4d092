/* SPDX-License-Identifier: Apache-2.0 */
/* Which questions to the kernel are refused, whoever asks: a filter of system calls that holds for
 * a process and all that it starts. */
#pragma once

#include <glib.h>

/* `local_sockets`: whether sockets of the UNIX family may be made. no_new_privs must be set. */
gboolean hf_sandbox_seccomp(gboolean local_sockets, GError **error);
