/* SPDX-License-Identifier: Apache-2.0 */
/* What root needs in a container before shells within can have their own /proc. */
#pragma once

#include <glib.h>

/* For the first process of a container, before it starts anything: mounts a complete, read-only
 * /proc in a place of its own, and gives up the capability that this takes. Does nothing for
 * ordinary users, who do not need it. FALSE: the capability could not be given up. */
gboolean hf_proc_view_mount(void);
