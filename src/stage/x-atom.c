/* SPDX-License-Identifier: Apache-2.0 */
/* One round trip per name: a stage needs only a handful. */
#include "stage/x-atom.h"

#include <stdlib.h>
#include <string.h>

xcb_atom_t hf_stage_atom(xcb_connection_t *xcb, const char *name)
{
    xcb_intern_atom_reply_t *reply =
        xcb_intern_atom_reply(xcb, xcb_intern_atom(xcb, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
    return atom;
}
