/* SPDX-License-Identifier: Apache-2.0 */
/* The clipboard of an X11 desktop. Opening a desktop only makes this small struct (and puts back
 * what a killed hand has left); connections are made at first use. */
#pragma once

#include "hand/desktop/clipboard.h"
#include "hand/x11/core/x11.h"

extern const HfClipboardOps hf_x11_clipboard_ops;

/* `names` is borrowed. Puts a content back that an earlier hand was serving when it was killed. */
HfX11Clipboard *hf_x11_clipboard_new(HfX11Connection *names, const char *state_dir);
/* Hands contents that are still ours over to somebody who outlives us. */
void hf_x11_clipboard_free(HfX11Clipboard *clipboard);
