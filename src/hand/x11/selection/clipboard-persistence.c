/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping contents beyond the end of a process. A file belongs to one life of the X server
 * (server-generation.h): in another it is cleared away, never served. Nobody's clipboard is ever
 * overwritten here: a selection that has an owner is left to it. */
#include "hand/x11/selection/clipboard-persistence.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand/x11/core/server-generation.h"
#include "hand/x11/selection/clipboard-holder.h"
#include "hand/x11/selection/selection-read.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/processes.h"

/* How long the X server may take to notice that the former owner was killed: so many looks, each
 * after a while and after the server has answered us, which a busy server does later. */
#define FUNERAL_LOOKS 20
#define FUNERAL_MS    12
/* How long a clipboard manager and a holder may take to own the selection: together well within the
 * time that a hand has for its end (HF_LIMIT_HAND_GRACE_MS). */
#define MANAGER_MS 500
#define HOLDER_MS  700

struct HfClipboardPersistence {
    HfX11Connection *names;
    char *state_dir;
    char *mark; /* of the server's life; NULL until something is written */
};

HfClipboardPersistence *hf_clipboard_persistence_new(HfX11Connection *names, const char *state_dir)
{
    HfClipboardPersistence *keep = g_new0(HfClipboardPersistence, 1);
    keep->names = names;
    keep->state_dir = g_strdup(state_dir);
    return keep;
}

void hf_clipboard_persistence_free(HfClipboardPersistence *keep)
{
    if (!keep)
        return;
    g_free(keep->state_dir);
    g_free(keep->mark);
    g_free(keep);
}

gboolean hf_clipboard_persistence_write(HfClipboardPersistence *keep, HfSelection selection,
                                        const HfClipboardData *data, HfClipboardFile **ret_file,
                                        GError **error)
{
    *ret_file = NULL;
    if (!keep->state_dir || hf_clipboard_data_get_count(data) == 0)
        return TRUE;
    if (!keep->mark)
        keep->mark = hf_server_generation_new_mark(keep->names, error);
    if (!keep->mark)
        return FALSE;
    *ret_file = hf_clipboard_file_write(keep->state_dir, keep->mark, hf_selection_name(selection),
                                        data, error);
    return *ret_file != NULL;
}

/* Certainly alive. A process that is gone tells nothing: it may have left its connection to a
 * child, as programs do that go to the background. */
static gboolean is_owner_alive(HfClipboardPersistence *keep, xcb_window_t owner)
{
    int pid = hf_x11_pid_of(keep->names, owner);
    HfProcess process;
    return pid > 0 && hf_process_read(pid, &process) && process.state != 'Z';
}

/* Nobody owns the selection, or the owner was just killed. */
static gboolean is_ownerless(HfClipboardPersistence *keep, HfSelectionReader *reader)
{
    xcb_window_t owner = hf_selection_reader_get_owner(reader);
    if (!owner)
        return TRUE;
    gboolean dead = FALSE;
    for (guint i = 0; !dead && i < FUNERAL_LOOKS && !is_owner_alive(keep, owner); i++) {
        HfDeadline look = hf_deadline_in_ms(FUNERAL_MS, NULL);
        dead = hf_selection_reader_wait_ownerless(reader, &look);
    }
    return dead;
}

/* TRUE when the content is served again and the file taken with it. */
static gboolean restore_file(HfClipboardPersistence *keep, HfSelectionServer *server,
                             HfSelection selection, HfClipboardFile *file)
{
    HfDeadline limit = hf_deadline_in_ms(HF_LIMIT_CLIPBOARD_ANSWER_MS, NULL);
    g_autoptr(HfClipboardData) data = hf_clipboard_file_load(file);
    if (!data || !hf_server_generation_matches(keep->names, hf_clipboard_file_get_server(file)))
        return FALSE;
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(keep->names, hf_selection_name(selection), NULL, NULL);
    if (!reader || !hf_selection_reader_start(reader, &limit, NULL) || !is_ownerless(keep, reader))
        return FALSE;
    gboolean taken = FALSE;
    HfSelectionClaim claim = {.selection = selection,
                              .time = hf_selection_reader_get_time(reader),
                              .content = data,
                              .file = file};
    /* Once taken, the file is the server's, also if the display went away in the same moment. */
    hf_selection_server_claim(server, &claim, &taken, NULL);
    return taken;
}

static void restore_selection(HfClipboardPersistence *keep, HfSelectionServer *server,
                              HfSelection selection)
{
    g_autoptr(GPtrArray) files =
        hf_clipboard_file_find_orphans(keep->state_dir, hf_selection_name(selection));
    g_ptr_array_set_free_func(files, NULL);
    gboolean restored = FALSE;
    for (guint i = 0; i < files->len; i++) {
        HfClipboardFile *file = files->pdata[i];
        gboolean taken = !restored && restore_file(keep, server, selection, file);
        if (!taken)
            hf_clipboard_file_remove(file);
        restored |= taken;
    }
}

void hf_clipboard_persistence_restore(HfClipboardPersistence *keep, HfSelectionServer *server)
{
    if (!keep->state_dir)
        return;
    restore_selection(keep, server, HF_SELECTION_CLIPBOARD);
    restore_selection(keep, server, HF_SELECTION_PRIMARY);
}

static gboolean is_selection_ours(HfSelectionServer *server, HfSelection selection)
{
    return hf_selection_server_get_loan(server, selection).owned;
}

/* Waits until somebody else owns the selection. */
static gboolean wait_succession(HfSelectionServer *server, HfSelection selection, int milliseconds)
{
    HfDeadline limit = hf_deadline_in_ms(milliseconds, NULL);
    while (is_selection_ours(server, selection))
        if (!hf_deadline_wait_readable(&limit, hf_selection_server_get_activity_fd(server), NULL))
            return !is_selection_ours(server, selection);
    return TRUE;
}

/* The agreement of freedesktop.org: a clipboard manager copies what it is told to save. Some only
 * keep the copy and own it later; that is not enough here. */
static gboolean give_to_manager(HfClipboardPersistence *keep, HfSelectionServer *server,
                                const HfClipboardData *data)
{
    HfDeadline limit = hf_deadline_in_ms(MANAGER_MS, NULL);
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(keep->names, "CLIPBOARD_MANAGER", keep->state_dir, NULL);
    if (!reader || !hf_selection_reader_start(reader, &limit, NULL) ||
        !hf_selection_reader_get_owner(reader))
        return FALSE;
    g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    for (guint i = 0; i < hf_clipboard_data_get_count(data); i++) {
        xcb_atom_t atom = hf_x11_atom(keep->names, hf_clipboard_data_get(data, i)->target);
        g_array_append_val(targets, atom);
    }
    g_auto(HfSelectionValue) value = {0};
    xcb_atom_t save = hf_x11_atom(keep->names, "SAVE_TARGETS");
    return hf_selection_fetch_with(reader, save, (const xcb_atom_t *)(gpointer)targets->data,
                                   targets->len, &limit, &value, NULL) &&
           value.bytes && wait_succession(server, HF_SELECTION_CLIPBOARD, MANAGER_MS / 2);
}

static void give_to_holder(HfClipboardPersistence *keep, HfSelectionServer *server,
                           HfSelection selection, xcb_timestamp_t time)
{
    g_autofree char *path = NULL;
    int fd = hf_selection_server_keep_file(server, selection, &path);
    if (fd < 0)
        return;
    HfClipboardHolding holding = {.display = keep->names->display ? keep->names->display
                                                                  : g_getenv("DISPLAY"),
                                  .selection = selection,
                                  .path = path,
                                  .fd = fd,
                                  .time = time + 1};
    if (hf_clipboard_holder_start(&holding))
        wait_succession(server, selection, HOLDER_MS);
    close(fd);
}

void hf_clipboard_persistence_hand_over(HfClipboardPersistence *keep, HfSelectionServer *server)
{
    for (HfSelection selection = HF_SELECTION_CLIPBOARD; selection <= HF_SELECTION_PRIMARY;
         selection++) {
        xcb_timestamp_t time = 0;
        g_autoptr(HfClipboardData) data = NULL;
        hf_selection_server_get_content(server, selection, &data, &time);
        if (data && !(selection == HF_SELECTION_CLIPBOARD && give_to_manager(keep, server, data)))
            give_to_holder(keep, server, selection, time);
    }
}
