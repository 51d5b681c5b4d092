/* SPDX-License-Identifier: Apache-2.0 */
/* The PID namespace in which programs are started on somebody's own desktop. The stage makes it
 * (stage/program-namespace.h), and a new one after a stop. */
#pragma once

#include <glib.h>

typedef struct HfLaunchNamespace HfLaunchNamespace;

HfLaunchNamespace *hf_launch_namespace_new(void);
void hf_launch_namespace_free(HfLaunchNamespace *space);

/* A pidfd of its first process, for hf_launch_namespace_enter(); -1 with DESKTOP_UNAVAILABLE when
 * there is none just now. */
int hf_launch_namespace_open(HfLaunchNamespace *space, GError **error);
/* What the calling process forks from now on is inside. Async-signal-safe; sets errno. */
gboolean hf_launch_namespace_enter(int process_fd);
