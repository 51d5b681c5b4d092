/* SPDX-License-Identifier: Apache-2.0 */
/* Who may create, attach or remove a desktop. That is no tool, but needs permission like one. */
#pragma once

#include "desk/guard/guard.h"

/* FORBIDDEN, STOPPED or PAUSED with the reason. `display`: it is the person's own display, which
 * only the owner and callers with full control may attach. */
gboolean hf_guard_check_desktop_permission(HfGuard *guard, const HfCaller *caller,
                                           const char *desktop, gboolean display, GError **error);
