/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of the screen and of windows, and whether anything has changed since one. */
#pragma once

#include "hand/desktop/screen.h"
#include "hand/x11/core/x11.h"

HfCapture *hf_x11_capture(HfDesktop *desktop, const HfCaptureRequest *request,
                          const HfDeadline *deadline, GError **error);
gboolean hf_x11_capture_get_change_serial(HfDesktop *desktop, gboolean cursor, guint64 *ret_serial,
                                          GError **error);

/* Connects on first use only. */
HfX11Capture *hf_x11_capture_new(void);
gboolean hf_x11_capture_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count);
/* Reads the events that the server has sent, so that they do not pile up. */
void hf_x11_capture_catch_up(HfX11Capture *capture);
/* See hf_desktop_trim_memory. */
void hf_x11_capture_trim(HfX11Capture *capture);
void hf_x11_capture_free(HfX11Capture *capture);
