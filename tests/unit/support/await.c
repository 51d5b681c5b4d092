/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting by inotify and by XFixes' notices of selections. Each look comes after the watch has
 * begun, so that nothing is missed in between. */
#include "await.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <xcb/xfixes.h>

#include "hand/apps/process-info.h"
#include "hand/x11/windows/window-pid.h"

static gint64 patience_end(void)
{
    return g_get_monotonic_time() + TEST_PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
}

/* FALSE when nothing came in time. */
static gboolean wait_readable(int fd, gint64 until_us)
{
    struct pollfd readable = {fd, POLLIN, 0};
    gint64 left = MAX(0, until_us - g_get_monotonic_time());
    return poll(&readable, 1, (int)(left / 1000)) > 0;
}

/* ---- Files --------------------------------------------------------------------------------- */

guint count_entries(const char *directory, const char *prefix)
{
    g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
    guint seen = 0;
    const char *name;
    while (entries && (name = g_dir_read_name(entries)))
        seen += g_str_has_prefix(name, prefix) ? 1 : 0;
    return seen;
}

static int watch_directory(const char *directory)
{
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    g_assert_cmpint(
        inotify_add_watch(fd, directory, IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO), >=,
        0);
    return fd;
}

static void wait_for_change(int fd, gint64 until_us)
{
    char events[4096];
    wait_readable(fd, until_us);
    while (read(fd, events, sizeof events) > 0)
        continue;
}

void await_entries(const char *directory, const char *prefix, guint count)
{
    gint64 until_us = patience_end();
    int fd = watch_directory(directory);
    while (count_entries(directory, prefix) != count && g_get_monotonic_time() < until_us)
        wait_for_change(fd, until_us);
    close(fd);
    g_assert_cmpuint(count_entries(directory, prefix), ==, count);
}

char *await_file(const char *path)
{
    gint64 until_us = patience_end();
    g_autofree char *directory = g_path_get_dirname(path);
    int fd = watch_directory(directory);
    char *text = NULL;
    while (!g_file_get_contents(path, &text, NULL, NULL) && g_get_monotonic_time() < until_us)
        wait_for_change(fd, until_us);
    close(fd);
    g_assert_nonnull(text);
    return text;
}

/* ---- Selections ---------------------------------------------------------------------------- */

struct OwnerWatch {
    HfX11Connection *connection;
    xcb_atom_t selection;
    guint8 event;
};

OwnerWatch *owner_watch_new(const char *display, const char *selection)
{
    OwnerWatch *watch = g_new0(OwnerWatch, 1);
    watch->connection = hf_x11_connect(display, NULL);
    g_assert_nonnull(watch->connection);
    xcb_connection_t *xcb = watch->connection->xcb;
    const xcb_query_extension_reply_t *xfixes = hf_x11_extension(watch->connection, &xcb_xfixes_id);
    g_assert_nonnull(xfixes);
    free(xcb_xfixes_query_version_reply(xcb, xcb_xfixes_query_version(xcb, 5, 0), NULL));
    watch->event = xfixes->first_event + XCB_XFIXES_SELECTION_NOTIFY;
    watch->selection = hf_x11_atom(watch->connection, selection);
    xcb_xfixes_select_selection_input(xcb, watch->connection->root, watch->selection,
                                      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                          XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                          XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE);
    hf_x11_sync(watch->connection, NULL);
    return watch;
}

void owner_watch_free(OwnerWatch *watch)
{
    if (!watch)
        return;
    hf_x11_disconnect(watch->connection);
    g_free(watch);
}

/* The owner that the next notice tells of; aborts when none comes. */
static xcb_window_t next_owner(OwnerWatch *watch, gint64 until_us)
{
    xcb_connection_t *xcb = watch->connection->xcb;
    for (;;) {
        xcb_generic_event_t *event = xcb_poll_for_event(xcb);
        if (!event) {
            g_assert_false(xcb_connection_has_error(xcb));
            if (!wait_readable(xcb_get_file_descriptor(xcb), until_us))
                g_error("the selection's owner does not change to what is expected");
            continue;
        }
        xcb_window_t owner = ((xcb_xfixes_selection_notify_event_t *)event)->owner;
        gboolean told = event->response_type == watch->event;
        free(event);
        if (told)
            return owner;
    }
}

void owner_watch_await_taken(OwnerWatch *watch)
{
    gint64 until_us = patience_end();
    while (!next_owner(watch, until_us))
        continue;
}

void owner_watch_await(OwnerWatch *watch, OwnerCheck is_wanted, gconstpointer data)
{
    gint64 until_us = patience_end();
    xcb_connection_t *xcb = watch->connection->xcb;
    xcb_get_selection_owner_reply_t *reply =
        xcb_get_selection_owner_reply(xcb, xcb_get_selection_owner(xcb, watch->selection), NULL);
    g_assert_nonnull(reply);
    xcb_window_t owner = reply->owner;
    free(reply);
    while (!is_wanted(watch, owner, data))
        owner = next_owner(watch, until_us);
}

gboolean owner_is_nobody(OwnerWatch *watch, xcb_window_t owner, gconstpointer data)
{
    return owner == XCB_WINDOW_NONE;
}

gboolean owner_is_somebody(OwnerWatch *watch, xcb_window_t owner, gconstpointer data)
{
    return owner != XCB_WINDOW_NONE;
}

gboolean owner_is_running(OwnerWatch *watch, xcb_window_t owner, gconstpointer data)
{
    int pid = owner ? hf_x11_pid_of(watch->connection, owner) : 0;
    g_auto(GStrv) arguments = pid ? hf_process_dup_arguments(pid) : NULL;
    return arguments && g_strv_contains((const char *const *)arguments, data);
}
