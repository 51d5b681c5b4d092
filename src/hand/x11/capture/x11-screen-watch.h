/* SPDX-License-Identifier: Apache-2.0 */
/* What x11-screen-watch.h asks for, by XDamage and the events of the root window. */
#pragma once

#include "hand/desktop/screen-watch.h"
#include "hand/x11/core/x11.h"

HfScreenWatch *hf_x11_screen_watch_new(HfDesktop *desktop, GError **error);
void hf_x11_screen_watch_free(HfScreenWatch *watch);
gboolean hf_x11_screen_watch_begin(HfScreenWatch *watch, HfScreenChanges *idle, GError **error);
gboolean hf_x11_screen_watch_read(HfScreenWatch *watch, HfScreenChanges *news, GError **error);
void hf_x11_screen_watch_end(HfScreenWatch *watch, HfScreenChanges *rest);
