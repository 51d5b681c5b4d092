/* SPDX-License-Identifier: Apache-2.0 */
/* The X11 back end of a desktop: one shared connection for requests, and the parts with their own
 * state. Each part is created on first use or at open, in its own file, and freed in x11.c. */
#pragma once

#include "hand/desktop/desktop.h"
#include "hand/x11/core/connection.h"

typedef struct HfX11Capture HfX11Capture;
typedef struct HfX11Keyboard HfX11Keyboard;
typedef struct HfX11Clipboard HfX11Clipboard;
typedef struct HfX11Pointer HfX11Pointer;

typedef struct HfX11Desktop {
    HfDesktop base;
    HfX11Connection *connection; /* requests and replies from any thread; never events */
    double scale;                /* 0: ask the display */
    gint top_window;             /* the root's topmost child when it was asked last */
    HfX11Capture *capture;
    HfX11Keyboard *keyboard;
    HfX11Clipboard *clipboard;
    HfX11Pointer *pointer;
} HfX11Desktop;

static inline HfX11Desktop *hf_x11(HfDesktop *desktop)
{
    return (HfX11Desktop *)desktop;
}

extern const HfScreenOps hf_x11_screen_ops;
extern const HfSessionOps hf_x11_session_ops;

HfDesktop *hf_x11_desktop_open(const HfDesktopOptions *options, GError **error);
