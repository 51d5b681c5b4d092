/* The X11 back end: which functions fill which slots, and the order of opening and closing. */
#include "platform/x11/x11.h"

#include "platform/journal.h"
#include "platform/x11/capture.h"
#include "platform/x11/clipboard.h"
#include "platform/x11/input-watch.h"
#include "platform/x11/janitor.h"
#include "platform/x11/keyboard.h"
#include "platform/x11/pointer.h"
#include "platform/x11/windows.h"

static gboolean is_alive(HfDesktop *desktop)
{
    return hf_x11_check(hf_x11(desktop)->connection, NULL);
}

static void rest(HfDesktop *desktop)
{
    hf_x11_capture_rest(hf_x11(desktop)->capture);
}

static void close_desktop(HfDesktop *desktop)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    if (x11->connection && desktop->journal)
        hf_x11_janitor_run(x11, NULL); /* what we still hold ourselves is put back the same way */
    hf_x11_capture_free(x11->capture);
    hf_x11_clipboard_free(x11->clipboard);
    hf_x11_disconnect(x11->connection);
    hf_x11_keyboard_free(x11->keyboard);
    hf_x11_pointer_free(x11->pointer);
    hf_journal_close(desktop->journal);
    g_free(desktop->state_dir);
    g_free(x11);
}

static const HfBackend backend = {
    .name = "x11",
    .screen = &hf_x11_screen_ops,
    .pointer = &hf_x11_pointer_ops,
    .session = &hf_x11_session_ops,
    .watch = &hf_x11_watch_ops,
    .windows = &hf_x11_window_ops,
    .alive = is_alive,
    .rest = rest,
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
    x11->scale = options->scale;
    x11->pointer = hf_x11_pointer_new();
    x11->capture = hf_x11_capture_new();
    x11->connection = hf_x11_connect(options->display, error);
    if (!x11->connection)
        return NULL;
    desktop->journal = hf_journal_open(options->state_dir, error);
    if (!desktop->journal || !hf_x11_janitor_run(x11, error))
        return NULL;
    x11->clipboard = hf_x11_clipboard_new(x11->connection, options->state_dir);
    return g_steal_pointer(&desktop);
}
