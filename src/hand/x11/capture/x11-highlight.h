/* SPDX-License-Identifier: Apache-2.0 */
/* A frame around a part of the screen, for a short time. */
#pragma once

#include "hand/desktop/screen.h"

gboolean hf_x11_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error);
