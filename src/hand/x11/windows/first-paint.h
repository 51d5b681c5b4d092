/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the first strokes of a program in its new window. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* Until something was drawn in it and then nothing for a moment, or until the deadline. Changes
 * nothing of the window, and asks its program for nothing. */
void hf_x11_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
