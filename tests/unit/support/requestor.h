/* SPDX-License-Identifier: Apache-2.0 */
/* A bare X client that asks for selections and owns them without ever answering: what no toolkit
 * would do, and what tests need. */
#pragma once

#include <glib.h>
#include <xcb/xcb.h>

typedef struct Requestor Requestor;

Requestor *requestor_new(void);
void requestor_free(Requestor *requestor);

xcb_connection_t *requestor_xcb(const Requestor *requestor);
xcb_window_t requestor_window(const Requestor *requestor);
xcb_atom_t requestor_atom(Requestor *requestor, const char *name);
/* The property that an owner wrote for this target; None when it refused. */
xcb_atom_t requestor_convert(Requestor *requestor, const char *selection, const char *target,
                             const char *property);
/* Reads a property of its window and deletes it; free with free(). */
xcb_get_property_reply_t *requestor_take(Requestor *requestor, const char *property);
/* A format that comes in one piece; NULL when it was refused. */
GBytes *requestor_fetch(Requestor *requestor, const char *selection, const char *target);

xcb_window_t requestor_owner_of(Requestor *requestor, const char *selection);
void requestor_own(Requestor *requestor, const char *selection);
/* Leaves the selection without an owner, whoever it is. */
void requestor_release(Requestor *requestor, const char *selection);
/* Gives a window the keyboard focus, for want of a window manager. */
void requestor_focus(Requestor *requestor, xcb_window_t window);
