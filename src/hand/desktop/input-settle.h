/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a program has taken in what was done to it: what it has not read yet it cannot have acted
 * on. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* Waits until the program behind the window has read all input up to now. FALSE when it has not by
 * then: it is busy, or hangs. */
gboolean hf_input_settle_window(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                                GError **error);
