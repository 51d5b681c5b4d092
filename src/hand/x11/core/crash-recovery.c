/* SPDX-License-Identifier: Apache-2.0 */
/* The janitor: at every opening, undoes what the journal says an earlier hand left behind. The
 * journal names its server by an atom that was made there: atoms last exactly as long as the
 * server does and are seen by nobody, so a journal can never be applied to another server, and
 * nothing is written to the user's session to tell them apart. */
#include "hand/x11/core/crash-recovery.h"

#include <stdlib.h>
#include <string.h>

#include "hand/safety/input-journal.h"
#include "hand/x11/input/inject.h"
#include "hand/x11/input/keyboard-device.h"
#include "hand/x11/input/spare-keycodes.h"
#include "shared/base/error.h"

static gboolean server_has_atom(HfX11Connection *connection, const char *name)
{
    if (!*name)
        return FALSE;
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        connection->xcb, xcb_intern_atom(connection->xcb, 1, (uint16_t)strlen(name), name), NULL);
    gboolean known = reply && reply->atom != XCB_ATOM_NONE;
    free(reply);
    return known;
}

static gboolean bind_journal(HfX11Desktop *x11, GError **error)
{
    guint32 words[4];
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        words[i] = g_random_int();
    char name[HF_INPUT_JOURNAL_SERVER_BYTES];
    g_snprintf(name, sizeof name, "HF%08x%08x%08x%08x", words[0], words[1], words[2], words[3]);
    if (hf_x11_atom(x11->connection, name) == XCB_ATOM_NONE)
        return hf_x11_check(x11->connection, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the X server made no atom");
    hf_input_journal_set_server(x11->base.journal, name);
    return TRUE;
}

/* Only the device that XTEST presses has ever been changed. */
static gboolean restore_keymap(HfX11Desktop *x11, GError **error)
{
    guint8 core, device;
    if (!hf_input_journal_has_changes(x11->base.journal))
        return TRUE;
    if (!hf_x11_device_find(x11->connection, &core, &device, error))
        return FALSE;
    HfX11SpareKeycodes spares = {x11->connection, x11->base.journal, device, 0};
    return hf_x11_spare_keycodes_restore(&spares, error);
}

static gboolean release_held(HfX11Desktop *x11, GError **error)
{
    HfInputJournal *journal = x11->base.journal;
    if (!hf_x11_inject_releases(x11, error))
        return FALSE;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++) {
        hf_input_journal_drop_key(journal, (guint8)code);
        hf_input_journal_drop_button(journal, (guint8)code);
    }
    return TRUE;
}

gboolean hf_x11_recover_from_crash(HfX11Desktop *x11, GError **error)
{
    if (!server_has_atom(x11->connection, hf_input_journal_get_server(x11->base.journal)))
        return hf_x11_check(x11->connection, error) && bind_journal(x11, error);
    return release_held(x11, error) && restore_keymap(x11, error);
}
