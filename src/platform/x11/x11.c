/* The X11 back end: which functions fill which slots, and the order of opening and closing. */
#include "platform/x11/x11.h"

static void close_desktop(HfDesktop *desktop)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    hf_x11_disconnect(x11->connection);
    g_free(desktop->state_dir);
    g_free(x11);
}

static const HfBackend backend = {
    .name = "x11",
    .screen = &hf_x11_screen_ops,
    .close = close_desktop,
};

HfDesktop *hf_x11_desktop_open(const HfDesktopOptions *options, GError **error)
{
    g_autoptr(HfX11Connection) connection = hf_x11_connect(options->display, error);
    if (!connection)
        return NULL;
    HfX11Desktop *x11 = g_new0(HfX11Desktop, 1);
    x11->base.backend = &backend;
    x11->base.state_dir = g_strdup(options->state_dir);
    x11->scale = options->scale;
    x11->connection = g_steal_pointer(&connection);
    return &x11->base;
}
