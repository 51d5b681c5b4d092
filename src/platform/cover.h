/* Windows that the owner has blocked, in pictures of the screen. */
#pragma once

#include "platform/screen.h"

HfCover *hf_cover_new(void);
void hf_cover_free(HfCover *cover);

/* The windows as they were at a picture with this serial: listed again only when some have changed.
 */
GPtrArray *hf_cover_list_windows(HfDesktop *desktop, guint64 serial, GError **error);

/* Covers what is seen of them in a picture of the screen, one pixel for one. By the fence of this
 * thread; FALSE when it cannot be known where they are: then nobody may have the picture. Unless
 * nothing has changed since the last one, looks after the picture was taken: a window that has gone
 * in between is still in it. */
gboolean hf_cover_blocked(HfDesktop *desktop, HfCapture *capture, GError **error);
