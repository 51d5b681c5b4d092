/* A frame around a part of the screen, for a short time. */
#pragma once

#include "platform/screen.h"

gboolean hf_x11_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error);
