/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of who wants to make, attach or remove a desktop: no tool, but no less a deed. */
#pragma once

#include "desk/guard/guard.h"

/* FORBIDDEN, STOPPED or PAUSED with the reason. The person's own display (`display`) is the
 * owner's, or that of whom the owner trusts with everything. */
gboolean hf_guard_check_desktop_permission(HfGuard *guard, const HfCaller *caller,
                                           const char *desktop, gboolean display, GError **error);
