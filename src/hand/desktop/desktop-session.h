/* SPDX-License-Identifier: Apache-2.0 */
/* The session around a desktop: whether its screen is locked, and which window manager runs. */
#pragma once

#include "hand/desktop/desktop.h"

struct HfSessionOps {
    /* A lock that the display itself knows of. The buses are watched here. */
    gboolean (*get_lock)(HfDesktop *desktop, gboolean *ret_locked, GError **error);
    gboolean (*dup_window_manager)(HfDesktop *desktop, char **ret_name, GError **error);
    gboolean (*dup_layout)(HfDesktop *desktop, char **ret_layout, GError **error);
};

/* Listens for screen savers on the session bus and the login manager on the system bus. `display`
 * (":0") picks the user's login session. Never fails: a service that does not run locks nothing. */
HfLockWatch *hf_lock_watch_new(const char *display);
void hf_lock_watch_free(HfLockWatch *watch);

/* Whether input must be refused because the screen is locked. Costs a round trip to the display and
 * never waits for a bus, except at most HF_LOCK_FIRST_ANSWER_MS in all after the desktop was
 * opened.
 */
#define HF_LOCK_FIRST_ANSWER_MS 250
gboolean hf_desktop_session_get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error);

/* The name of the back end: "x11". */
const char *hf_desktop_session_backend(const HfDesktop *desktop);
/* The name that the window manager gives itself; NULL when there is none. */
gboolean hf_desktop_session_dup_window_manager(HfDesktop *desktop, char **ret_name, GError **error);
/* The configured keyboard layout: "us", "us,de"; NULL when it is not known. */
gboolean hf_desktop_session_dup_layout(HfDesktop *desktop, char **ret_layout, GError **error);
