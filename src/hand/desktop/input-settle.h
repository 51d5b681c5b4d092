/* SPDX-License-Identifier: Apache-2.0 */
/* Has a program read its input? It cannot have acted on what it has not read yet. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* Waits until the program behind the window has read all input so far. FALSE when it has not by the
 * deadline: it is busy, or hangs. */
gboolean hf_input_settle_window(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                                GError **error);
