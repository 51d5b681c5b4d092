/* SPDX-License-Identifier: Apache-2.0 */
/* The X11 back end of a desktop: one shared connection for requests, and the parts that have state.
 * Each part is created in its own file, when the desktop opens or on first use, and freed in x11.c.
 */
#pragma once

#include "hand/desktop/desktop.h"
#include "hand/x11/core/connection.h"

typedef struct HfX11Capture HfX11Capture;
typedef struct HfX11Keyboard HfX11Keyboard;
typedef struct HfX11Clipboard HfX11Clipboard;
typedef struct HfX11Pointer HfX11Pointer;

typedef struct HfX11Desktop {
    HfDesktop base;
    HfX11Connection *connection; /* for requests and replies of any thread, never for events */
    double scale;                /* 0: as the display reports it */
    gint top_window;             /* the root's topmost child at the last query; atomic */
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
extern const HfPointerOps hf_x11_pointer_ops;
extern const HfInputWatchOps hf_x11_input_watch_ops;
extern const HfClipboardOps hf_x11_clipboard_ops;

HfX11Pointer *hf_x11_pointer_new(void);
void hf_x11_pointer_free(HfX11Pointer *pointer);
/* While locked, no batch of pointer events is in progress. */
void hf_x11_pointer_lock(HfX11Pointer *pointer);
void hf_x11_pointer_unlock(HfX11Pointer *pointer);

/* `shared` is borrowed. Restores content that an earlier hand was serving when it was killed, and
 * connects only on first use. */
HfX11Clipboard *hf_x11_clipboard_new(HfX11Connection *shared, const char *state_dir);
/* Hands content that we still own over to a process that outlives us. */
void hf_x11_clipboard_free(HfX11Clipboard *clipboard);

HfDesktop *hf_x11_desktop_open(const HfDesktopOptions *options, GError **error);
