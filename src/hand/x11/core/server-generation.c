/* SPDX-License-Identifier: Apache-2.0 */
/* The mark is an atom with a random name. An atom cannot be removed while the server lives, is gone
 * when the server ends or resets, and is not known to any other server; asking for it changes
 * nothing. Display number, process number and times of files can all come again: they say nothing.
 * A connection belongs to one life, so what is asked on it holds for all that is done on it. */
#include "hand/x11/core/server-generation.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"

#define PREFIX "_HANDFAST_LIFE_"

char *hf_server_generation_new_mark(HfX11Connection *connection, GError **error)
{
    g_autofree char *unique = g_uuid_string_random();
    g_autofree char *mark = g_strdup_printf(PREFIX "%s", unique);
    if (hf_x11_atom(connection, mark) == XCB_ATOM_NONE && !hf_x11_check(connection, error))
        return NULL;
    return g_steal_pointer(&mark);
}

gboolean hf_server_generation_matches(HfX11Connection *connection, const char *mark)
{
    size_t length = mark ? strlen(mark) : 0;
    /* A name that is not of this kind may be known to any server, and marks nothing. */
    if (length > HF_LIMIT_NAME_BYTES || !mark || !g_str_has_prefix(mark, PREFIX))
        return FALSE;
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        connection->xcb, xcb_intern_atom(connection->xcb, 1, (uint16_t)length, mark), NULL);
    gboolean known = reply && reply->atom != XCB_ATOM_NONE;
    free(reply);
    return known;
}
