/* SPDX-License-Identifier: Apache-2.0 */
/* Undoes what the journal says an earlier hand left behind, whenever a desktop is opened. The
 * journal names the server generation that its entries belong to, so it is never applied to another
 * server. */
#include "hand/x11/core/crash-recovery.h"

#include "hand/safety/input-journal.h"
#include "hand/x11/core/server-generation.h"
#include "hand/x11/input/inject.h"
#include "hand/x11/input/keyboard-device.h"
#include "hand/x11/input/spare-keycodes.h"

static gboolean bind_journal(HfX11Desktop *x11, GError **error)
{
    g_autofree char *mark = hf_server_generation_new_mark(x11->connection, error);
    if (mark)
        hf_input_journal_set_server(x11->base.journal, mark);
    return mark != NULL;
}

/* The XTEST keyboard is the only device that we ever change. */
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
    if (!hf_x11_inject_releases(&x11->base, error))
        return FALSE;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++) {
        hf_input_journal_drop_key(journal, (guint8)code);
        hf_input_journal_drop_button(journal, (guint8)code);
    }
    return TRUE;
}

gboolean hf_x11_recover_from_crash(HfX11Desktop *x11, GError **error)
{
    if (hf_server_generation_matches(x11->connection,
                                     hf_input_journal_get_server(x11->base.journal)))
        return release_held(x11, error) && restore_keymap(x11, error);
    return hf_x11_check(x11->connection, error) && bind_journal(x11, error);
}
