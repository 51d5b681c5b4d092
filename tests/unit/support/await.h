/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for what is meant, by the event that tells it: a file that comes or goes, a selection
 * that changes hands. The limit is only there so that a test that has failed ends. */
#pragma once

#include <glib.h>
#include <xcb/xcb.h>

/* How long anything in a test may take on a machine that is busy with other things. */
#define TEST_PATIENCE_MS 30000

/* Until the directory has so many entries whose names begin with `prefix`; aborts when it does not
 * come to that. */
void await_entries(const char *directory, const char *prefix, guint count);
guint count_entries(const char *directory, const char *prefix);
/* Until there is such a file with a whole content, written under another name and renamed. */
char *await_file(const char *path);

/* Who owns a selection ("CLIPBOARD"), told by the X server as it changes. */
typedef struct OwnerWatch OwnerWatch;
OwnerWatch *owner_watch_new(const char *display, const char *selection);
void owner_watch_free(OwnerWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OwnerWatch, owner_watch_free)
/* Until somebody takes it after the watch began or the last such call returned. */
void owner_watch_await_taken(OwnerWatch *watch);
/* Until `is_wanted` says so of the owner's window (0: nobody). */
typedef gboolean (*OwnerCheck)(OwnerWatch *watch, xcb_window_t owner, gconstpointer data);
void owner_watch_await(OwnerWatch *watch, OwnerCheck is_wanted, gconstpointer data);
/* For owner_watch_await(): nobody owns it; somebody does; a process whose arguments contain the
 * string `data` does. */
gboolean owner_is_nobody(OwnerWatch *watch, xcb_window_t owner, gconstpointer data);
gboolean owner_is_somebody(OwnerWatch *watch, xcb_window_t owner, gconstpointer data);
gboolean owner_is_running(OwnerWatch *watch, xcb_window_t owner, gconstpointer data);
