/* SPDX-License-Identifier: Apache-2.0 */
/* Puts back what an earlier hand left on this X server. */
#pragma once

#include "hand/x11/core/x11.h"

/* Binds the journal to this server and undoes what it holds for it. Touches nothing when the
 * journal is empty or speaks of another server. */
gboolean hf_x11_recover_from_crash(HfX11Desktop *x11, GError **error);
