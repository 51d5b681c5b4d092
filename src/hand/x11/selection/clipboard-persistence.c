/* SPDX-License-Identifier: Apache-2.0 */
/* Saves, restores and hands over clipboard content. A file belongs to one generation of the X
 * server (server-generation.h): in another one it is removed, never served. A selection that has an
 * owner is never overwritten here. The holder must keep nothing of the desk: it gets its own
 * session, directory and descriptors before it does anything else. */
#include "hand/x11/selection/clipboard-persistence.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hand/x11/core/server-generation.h"
#include "hand/x11/selection/selection-read.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"
#include "shared/process/processes.h"

/* How long the X server may take to notice that the former owner was killed: so many checks, each
 * after a pause and a round trip, which takes longer on a busy server. */
#define OWNER_CHECKS   20
#define OWNER_CHECK_MS 12
/* How long a clipboard manager and a holder may take to own the selection, together well within the
 * time that a hand has to end (HF_LIMIT_HAND_GRACE_MS). */
#define MANAGER_MS 500
#define HOLDER_MS  700
/* The descriptor of the saved content in the holder. */
#define HOLDER_FD 3

struct HfClipboardPersistence {
    HfX11Connection *shared;
    char *state_dir;
    char *mark; /* of the server generation; NULL until something is saved */
};

HfClipboardPersistence *hf_clipboard_persistence_new(HfX11Connection *shared, const char *state_dir)
{
    HfClipboardPersistence *persistence = g_new0(HfClipboardPersistence, 1);
    persistence->shared = shared;
    persistence->state_dir = g_strdup(state_dir);
    return persistence;
}

void hf_clipboard_persistence_free(HfClipboardPersistence *persistence)
{
    if (!persistence)
        return;
    g_free(persistence->state_dir);
    g_free(persistence->mark);
    g_free(persistence);
}

gboolean hf_clipboard_persistence_write(HfClipboardPersistence *persistence, HfSelection selection,
                                        const HfClipboardData *data, HfClipboardFile **ret_file,
                                        GError **error)
{
    *ret_file = NULL;
    if (!persistence->state_dir || hf_clipboard_data_get_count(data) == 0)
        return TRUE;
    if (!persistence->mark)
        persistence->mark = hf_server_generation_new_mark(persistence->shared, error);
    if (!persistence->mark)
        return FALSE;
    *ret_file = hf_clipboard_file_write(persistence->state_dir, persistence->mark,
                                        hf_selection_name(selection), data, error);
    return *ret_file != NULL;
}

/* TRUE: certainly alive. A process that has ended proves nothing: it may have left its connection
 * to a child, as programs do that go to the background. */
static gboolean is_owner_alive(HfClipboardPersistence *persistence, xcb_window_t owner)
{
    int pid = hf_x11_pid_of(persistence->shared, owner);
    HfProcess process;
    return pid > 0 && hf_process_read(pid, &process) && process.state != 'Z';
}

/* Whether nobody owns the selection, or its owner was just killed. */
static gboolean is_ownerless(HfClipboardPersistence *persistence, HfSelectionReader *reader)
{
    xcb_window_t owner = hf_selection_reader_get_owner(reader);
    if (!owner)
        return TRUE;
    gboolean dead = FALSE;
    for (guint i = 0; !dead && i < OWNER_CHECKS && !is_owner_alive(persistence, owner); i++) {
        HfDeadline check = hf_deadline_in_ms(OWNER_CHECK_MS, NULL);
        dead = hf_selection_reader_wait_ownerless(reader, &check);
    }
    return dead;
}

/* TRUE when the content is served again; the server then owns the file. */
static gboolean restore_file(HfClipboardPersistence *persistence, HfSelectionServer *server,
                             HfSelection selection, HfClipboardFile *file)
{
    HfDeadline limit = hf_deadline_in_ms(HF_LIMIT_CLIPBOARD_ANSWER_MS, NULL);
    g_autoptr(HfClipboardData) data = hf_clipboard_file_load(file);
    if (!data ||
        !hf_server_generation_matches(persistence->shared, hf_clipboard_file_get_server(file)))
        return FALSE;
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(persistence->shared, hf_selection_name(selection), NULL, NULL);
    if (!reader || !hf_selection_reader_start(reader, &limit, NULL) ||
        !is_ownerless(persistence, reader))
        return FALSE;
    gboolean taken = FALSE;
    HfSelectionClaim claim = {.selection = selection,
                              .time = hf_selection_reader_get_time(reader),
                              .content = data,
                              .file = file};
    /* If taken, the server owns the file, even if the display went away at the same moment. */
    hf_selection_server_claim(server, &claim, &taken, NULL);
    return taken;
}

static void restore_selection(HfClipboardPersistence *persistence, HfSelectionServer *server,
                              HfSelection selection)
{
    g_autoptr(GPtrArray) files =
        hf_clipboard_file_find_orphans(persistence->state_dir, hf_selection_name(selection));
    g_ptr_array_set_free_func(files, NULL);
    gboolean restored = FALSE;
    for (guint i = 0; i < files->len; i++) {
        HfClipboardFile *file = files->pdata[i];
        gboolean taken = !restored && restore_file(persistence, server, selection, file);
        if (!taken)
            hf_clipboard_file_remove(file);
        restored |= taken;
    }
}

void hf_clipboard_persistence_restore(HfClipboardPersistence *persistence,
                                      HfSelectionServer *server)
{
    if (!persistence->state_dir)
        return;
    restore_selection(persistence, server, HF_SELECTION_CLIPBOARD);
    restore_selection(persistence, server, HF_SELECTION_PRIMARY);
}

/* Waits until another process owns the selection. */
static gboolean wait_for_new_owner(HfSelectionServer *server, HfSelection selection,
                                   int milliseconds)
{
    HfDeadline limit = hf_deadline_in_ms(milliseconds, NULL);
    gboolean in_time = TRUE;
    while (hf_selection_server_get_loan(server, selection).owned) {
        if (!in_time)
            return FALSE;
        in_time =
            hf_deadline_wait_readable(&limit, hf_selection_server_get_activity_fd(server), NULL);
    }
    return TRUE;
}

/* The protocol of freedesktop.org: a clipboard manager copies the targets that we name. Some
 * managers keep the copy and take the selection later; that is too late here. */
static gboolean give_to_manager(HfClipboardPersistence *persistence, HfSelectionServer *server,
                                const HfClipboardData *data)
{
    HfDeadline limit = hf_deadline_in_ms(MANAGER_MS, NULL);
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        persistence->shared, "CLIPBOARD_MANAGER", persistence->state_dir, NULL);
    if (!reader || !hf_selection_reader_start(reader, &limit, NULL) ||
        !hf_selection_reader_get_owner(reader))
        return FALSE;
    g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
    for (guint i = 0; i < hf_clipboard_data_get_count(data); i++) {
        xcb_atom_t atom = hf_x11_atom(persistence->shared, hf_clipboard_data_get(data, i)->target);
        g_array_append_val(targets, atom);
    }
    g_auto(HfSelectionValue) value = {0};
    xcb_atom_t save = hf_x11_atom(persistence->shared, "SAVE_TARGETS");
    return hf_selection_fetch_with(reader, save, (const xcb_atom_t *)(gpointer)targets->data,
                                   targets->len, &limit, &value, NULL) &&
           value.bytes && wait_for_new_owner(server, HF_SELECTION_CLIPBOARD, MANAGER_MS / 2);
}

/* Only what is needed to reach the X server: by the desk's own variables, the next desk would take
 * the holder for a leftover process and end it. */
static char **new_holder_environment(void)
{
    static const char *const needed[] = {"HOME", "XAUTHORITY", "PATH"};
    char **environment = g_new0(char *, 1);
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (g_getenv(needed[i]))
            environment = g_environ_setenv(environment, needed[i], g_getenv(needed[i]), TRUE);
    return environment;
}

gboolean hf_clipboard_holder_start(const char *display, HfSelection selection, const char *path,
                                   int fd, guint32 time)
{
    g_autofree char *claim_time = g_strdup_printf("%u", time);
    g_auto(GStrv) environment = new_holder_environment();
    const char *argv[] = {"/proc/self/exe",
                          "handfast",
                          "hold-clipboard",
                          display ? display : "",
                          hf_selection_name(selection),
                          path,
                          claim_time,
                          NULL};
    const int source[] = {fd}, target[] = {HOLDER_FD};
    /* Without DO_NOT_REAP_CHILD, GLib starts a grandchild, so no zombie stays here. */
    return g_spawn_async_with_pipes_and_fds(
        "/", argv, (const char *const *)environment,
        G_SPAWN_FILE_AND_ARGV_ZERO | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
        NULL, -1, -1, -1, source, target, G_N_ELEMENTS(source), NULL, NULL, NULL, NULL, NULL);
}

static void give_to_holder(HfClipboardPersistence *persistence, HfSelectionServer *server,
                           HfSelection selection, xcb_timestamp_t time)
{
    g_autofree char *path = NULL;
    int fd = hf_selection_server_keep_file(server, selection, &path);
    if (fd < 0)
        return;
    const char *display = persistence->shared->display;
    if (hf_clipboard_holder_start(display ? display : g_getenv("DISPLAY"), selection, path, fd,
                                  time + 1))
        wait_for_new_owner(server, selection, HOLDER_MS);
    close(fd);
}

void hf_clipboard_persistence_hand_over(HfClipboardPersistence *persistence,
                                        HfSelectionServer *server)
{
    for (HfSelection selection = HF_SELECTION_CLIPBOARD; selection <= HF_SELECTION_PRIMARY;
         selection++) {
        xcb_timestamp_t time = 0;
        g_autoptr(HfClipboardData) data = NULL;
        hf_selection_server_get_content(server, selection, &data, &time);
        if (data &&
            !(selection == HF_SELECTION_CLIPBOARD && give_to_manager(persistence, server, data)))
            give_to_holder(persistence, server, selection, time);
    }
}

static void detach_from_desk(void)
{
    setsid();
    prctl(PR_SET_NAME, "handfast-hold");
    close_range(HOLDER_FD + 1, ~0U, 0);
    fcntl(HOLDER_FD, F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
}

int hf_clipboard_holder_main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    detach_from_desk();
    const char *display = *argv[1] ? argv[1] : NULL;
    HfSelection selection =
        g_str_equal(argv[2], "PRIMARY") ? HF_SELECTION_PRIMARY : HF_SELECTION_CLIPBOARD;
    HfClipboardFile *file = hf_clipboard_file_new_inherited(argv[3], HOLDER_FD);
    g_autoptr(HfClipboardData) data = hf_clipboard_file_load(file);
    g_autoptr(HfSelectionServer) server = hf_selection_server_new(display);
    HfSelectionClaim claim = {.selection = selection,
                              .time = (xcb_timestamp_t)g_ascii_strtoull(argv[4], NULL, 10),
                              .content = data,
                              .file = file};
    gboolean taken = FALSE;
    if (data)
        hf_selection_server_claim(server, &claim, &taken, NULL);
    /* Not taken: there is newer content, or the X server is gone. Either way nobody needs the file.
     * If taken, the server removes it. */
    if (!taken)
        hf_clipboard_file_remove(file);
    hf_selection_server_join(server);
    return taken ? 0 : 1;
}
