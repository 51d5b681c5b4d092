/* SPDX-License-Identifier: Apache-2.0 */
/* Input methods that may come between keys and programs: those that serve XIM on this display. */
#pragma once

#include "hand/x11/core/connection.h"

/* Windows of the input methods' own programs (xcb_window_t); empty when there is none. */
GArray *hf_x11_input_methods_dup_windows(HfX11Connection *connection);
