/* SPDX-License-Identifier: Apache-2.0 */
/* Ending everything that was started on a virtual desktop. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* Programs first, while their X server still lives, so that they can save; then the `servers`
 * (0: none); then by force, until no descendant of this process is left. Returns how many could
 * not be ended. */
guint hf_shutdown_run(const pid_t *servers, gsize count);
/* Ends one child: a word, then the axe. */
void hf_shutdown_end_child(pid_t pid, int grace_ms);
