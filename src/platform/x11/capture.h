/* Pictures of the screen and of windows, and whether there is a new one to take. */
#pragma once

#include "platform/screen.h"
#include "platform/x11/x11.h"

HfCapture *hf_x11_capture(HfDesktop *desktop, const HfCaptureRequest *request,
                          const HfDeadline *deadline, GError **error);
gboolean hf_x11_capture_get_change_serial(HfDesktop *desktop, gboolean cursor, guint64 *ret_serial,
                                          GError **error);
void hf_x11_capture_free(HfX11Capture *capture);
