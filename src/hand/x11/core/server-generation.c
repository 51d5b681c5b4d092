/* SPDX-License-Identifier: Apache-2.0 */
/* The mark is an atom with a random name. Nobody can remove an atom, it disappears when the server
 * ends or resets, no other server knows it, and a query for it changes nothing in the session.
 * Display number, process id and file times can repeat, so they prove nothing. A connection belongs
 * to one generation, so what is asked on it holds for everything that is done on it. */
#include "hand/x11/core/server-generation.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"

#define PREFIX "_HANDFAST_LIFE_"

char *hf_server_generation_new_mark(HfX11Connection *connection, GError **error)
{
    g_autofree char *mark =
        g_strdup_printf(PREFIX "%08x%08x%08x", g_random_int(), g_random_int(), g_random_int());
    if (hf_x11_atom(connection, mark) != XCB_ATOM_NONE)
        return g_steal_pointer(&mark);
    if (hf_x11_check(connection, error))
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the X server refuses to create an atom");
    return NULL;
}

gboolean hf_server_generation_matches(HfX11Connection *connection, const char *mark)
{
    size_t length = mark ? strlen(mark) : 0;
    /* Any server may know a name without the prefix, so it marks nothing. */
    if (length > HF_LIMIT_NAME_BYTES || !mark || !g_str_has_prefix(mark, PREFIX))
        return FALSE;
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        connection->xcb, xcb_intern_atom(connection->xcb, 1, (uint16_t)length, mark), NULL);
    gboolean known = reply && reply->atom != XCB_ATOM_NONE;
    free(reply);
    return known;
}
