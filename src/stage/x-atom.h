/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms of the X server by name. */
#pragma once

#include <xcb/xcb.h>

/* XCB_ATOM_NONE when the server does not answer. */
xcb_atom_t hf_stage_atom(xcb_connection_t *xcb, const char *name);
