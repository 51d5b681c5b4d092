/* SPDX-License-Identifier: Apache-2.0 */
/* The session around a desktop: whether its screen is locked, and which window manager runs. */
#pragma once

#include "hand/desktop/desktop.h"

struct HfSessionOps {
    /* What the display itself knows of a lock; the buses are asked elsewhere. */
    gboolean (*get_lock)(HfDesktop *desktop, gboolean *ret_locked, GError **error);
    gboolean (*dup_window_manager)(HfDesktop *desktop, char **ret_name, GError **error);
    gboolean (*dup_layout)(HfDesktop *desktop, char **ret_layout, GError **error);
};

/* Whether input must be refused because the screen is locked. Answers from what was heard before:
 * costs a round trip to the display, and never waits for a bus, except at most
 * HF_LOCK_FIRST_ANSWER_MS in all after the desktop was opened. */
#define HF_LOCK_FIRST_ANSWER_MS 250
gboolean hf_desktop_session_get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error);

/* What draws the desktop: "x11". */
const char *hf_desktop_session_backend(const HfDesktop *desktop);
/* The name that the window manager gives itself; NULL when there is none. */
gboolean hf_desktop_session_dup_window_manager(HfDesktop *desktop, char **ret_name, GError **error);
/* The keyboard's layout as the session was set up: "us", "us,de"; NULL when nobody says. */
gboolean hf_desktop_session_dup_layout(HfDesktop *desktop, char **ret_layout, GError **error);
