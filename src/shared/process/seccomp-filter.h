/* SPDX-License-Identifier: Apache-2.0 */
/* The system calls that programs of agents may not use. */
#pragma once

#include <glib.h>

/* Both: an array of struct sock_filter. */

/* For a shell. `local_sockets`: whether AF_UNIX sockets are allowed. */
GArray *hf_seccomp_new_shell_filter(gboolean local_sockets);
/* For everything on a private desktop. Browsers and shells build their own sandboxes there, so
 * mounts and namespaces are allowed. */
GArray *hf_seccomp_new_container_filter(void);
