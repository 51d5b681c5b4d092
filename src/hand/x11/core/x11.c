/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the X11 back end, and fills the slots of HfBackend. Closing releases what we
 * hold before anything else goes. */
#include "hand/x11/core/x11.h"

#include "hand/safety/input-journal.h"
#include "hand/x11/capture/x11-capture.h"
#include "hand/x11/core/crash-recovery.h"
#include "hand/x11/input/x11-keyboard.h"
#include "hand/x11/windows/x11-windows.h"

static gboolean is_display_alive(HfDesktop *desktop)
{
    return hf_x11_check(hf_x11(desktop)->connection, NULL);
}

static void trim_x11_memory(HfDesktop *desktop)
{
    hf_x11_capture_trim(hf_x11(desktop)->capture);
}

static void close_desktop(HfDesktop *desktop)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    if (x11->connection && desktop->journal)
        hf_x11_recover_from_crash(x11, NULL); /* releases what we still hold */
    hf_x11_capture_free(x11->capture);
    hf_x11_clipboard_free(x11->clipboard);
    hf_x11_disconnect(x11->connection);
    hf_x11_keyboard_free(x11->keyboard);
    hf_x11_pointer_free(x11->pointer);
    hf_input_journal_close(desktop->journal);
    g_free(desktop->state_dir);
    g_free(x11);
}

static const HfBackend backend = {
    .name = "x11",
    .screen = &hf_x11_screen_ops,
    .pointer = &hf_x11_pointer_ops,
    .session = &hf_x11_session_ops,
    .watch = &hf_x11_input_watch_ops,
    .windows = &hf_x11_window_ops,
    .alive = is_display_alive,
    .trim_memory = trim_x11_memory,
    .clipboard = &hf_x11_clipboard_ops,
    .keyboard = &hf_x11_keyboard_ops,
    .close = close_desktop,
};

HfDesktop *hf_x11_desktop_open(const HfDesktopOptions *options, GError **error)
{
    HfX11Desktop *x11 = g_new0(HfX11Desktop, 1);
    g_autoptr(HfDesktop) desktop = &x11->base;
    desktop->backend = &backend;
    desktop->state_dir = g_strdup(options->state_dir);
    desktop->proxy_port = options->proxy_port;
    x11->scale = options->scale;
    x11->pointer = hf_x11_pointer_new();
    x11->capture = hf_x11_capture_new();
    x11->connection = hf_x11_connect(options->display, error);
    if (!x11->connection)
        return NULL;
    desktop->journal = hf_input_journal_open(options->state_dir, error);
    if (!desktop->journal || !hf_x11_recover_from_crash(x11, error))
        return NULL;
    x11->clipboard = hf_x11_clipboard_new(x11->connection, options->state_dir);
    return g_steal_pointer(&desktop);
}
