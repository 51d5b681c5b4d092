/* What screen-watch.h asks for, by XDamage and the events of the root window. */
#pragma once

#include "platform/screen-watch.h"
#include "platform/x11/x11.h"

HfScreenWatch *hf_x11_screen_watch_new(HfDesktop *desktop, GError **error);
void hf_x11_screen_watch_free(HfScreenWatch *watch);
gboolean hf_x11_screen_watch_begin(HfScreenWatch *watch, HfScreenNews *idle, GError **error);
gboolean hf_x11_screen_watch_read(HfScreenWatch *watch, HfScreenNews *news, GError **error);
void hf_x11_screen_watch_end(HfScreenWatch *watch, HfScreenNews *rest);
