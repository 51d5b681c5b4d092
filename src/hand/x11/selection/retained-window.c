/* SPDX-License-Identifier: Apache-2.0 */
/* Retains windows and removes them later. The name of a record file is the window's number, and a
 * locked record belongs to a running hand. In another generation of the X server the number may
 * belong to another program, so only a window with our mark is killed. */
#include "hand/x11/selection/retained-window.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "retained-"
#define MARK   "_HANDFAST_RETAINED"

struct HfRetainedWindow {
    HfX11Connection *connection;
    char *path;
    int fd;
};

static int open_locked_record(const char *path, int flags)
{
    int fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

HfRetainedWindow *hf_retained_window_new(HfX11Connection *connection, xcb_window_t window,
                                         const char *state_dir)
{
    if (!state_dir)
        return NULL;
    g_autofree char *path = g_strdup_printf("%s/" PREFIX "%08x", state_dir, window);
    int fd = open_locked_record(path, O_CREAT);
    if (fd < 0)
        return NULL;
    xcb_atom_t mark = hf_x11_atom(connection, MARK);
    xcb_change_property(connection->xcb, XCB_PROP_MODE_REPLACE, window, mark, XCB_ATOM_CARDINAL, 32,
                        1, &window);
    xcb_set_close_down_mode(connection->xcb, XCB_CLOSE_DOWN_RETAIN_TEMPORARY);
    HfRetainedWindow *retained = g_new0(HfRetainedWindow, 1);
    retained->connection = connection;
    retained->path = g_steal_pointer(&path);
    retained->fd = fd;
    return retained;
}

void hf_retained_window_free(HfRetainedWindow *retained)
{
    if (!retained)
        return;
    xcb_set_close_down_mode(retained->connection->xcb, XCB_CLOSE_DOWN_DESTROY_ALL);
    hf_x11_sync(retained->connection, NULL);
    unlink(retained->path);
    close(retained->fd);
    g_free(retained->path);
    g_free(retained);
}

static gboolean has_mark(HfX11Connection *connection, xcb_window_t window)
{
    gsize count = 0;
    g_autofree guint32 *value =
        hf_x11_dup_property32(connection, window, MARK, XCB_ATOM_CARDINAL, &count);
    return count == 1 && value[0] == window;
}

static gboolean is_older(int fd, gint64 age_ms)
{
    struct stat info;
    gint64 now_ms = g_get_real_time() / 1000;
    return fstat(fd, &info) == 0 && now_ms - (gint64)info.st_mtime * 1000 >= age_ms;
}

void hf_retained_window_sweep(HfX11Connection *connection, const char *state_dir, gint64 age_ms)
{
    g_autoptr(GDir) entries = state_dir ? g_dir_open(state_dir, 0, NULL) : NULL;
    const char *name;
    while (entries && (name = g_dir_read_name(entries))) {
        if (!g_str_has_prefix(name, PREFIX))
            continue;
        g_autofree char *path = g_build_filename(state_dir, name, NULL);
        int fd = open_locked_record(path, 0);
        if (fd < 0)
            continue; /* its hand is running */
        if (is_older(fd, age_ms)) {
            xcb_window_t window = (xcb_window_t)strtoul(name + sizeof PREFIX - 1, NULL, 16);
            if (window && has_mark(connection, window))
                xcb_kill_client(connection->xcb, window);
            unlink(path);
        }
        close(fd);
    }
    hf_x11_sync(connection, NULL);
}
