/* SPDX-License-Identifier: Apache-2.0 */
/* Restores what an earlier hand changed on this X server and could not undo. */
#pragma once

#include "hand/x11/core/x11.h"

/* Releases held keys and buttons and restores the keymap. When the journal is new or belongs to
 * another server, binds it to this one and changes nothing else. */
gboolean hf_x11_recover_from_crash(HfX11Desktop *x11, GError **error);
