/* SPDX-License-Identifier: Apache-2.0 */
/* Ends everything that was started on a virtual desktop. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* Ends programs first, while their X server still lives, so that they can save; then the `servers`
 * (0: none); then kills until no descendant of this process is left. Returns how many are left. */
guint hf_shutdown_run(const pid_t *servers, gsize count);
/* Ends one child: SIGTERM, then SIGKILL. */
void hf_shutdown_end_child(pid_t pid, int grace_ms);
