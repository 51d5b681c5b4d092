/* Windows that the owner has blocked, in pictures of the screen. */
#pragma once

#include "base/image.h"
#include "platform/desktop.h"

/* Covers what is seen of them in a picture that shows `area` of the screen, one pixel for one. By
 * the fence of this thread; FALSE when it cannot be known where they are: then nobody may have the
 * picture. Looks after the picture was taken: a window that has gone in between is still in it. */
gboolean hf_cover_blocked(HfDesktop *desktop, HfImage *image, HfRect area, GError **error);
