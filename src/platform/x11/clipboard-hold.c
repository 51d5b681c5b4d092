/* Starting a holder, and being one. The holder must not keep anything of the desk: its session,
 * directory and descriptors are its own before it does anything else. */
#include "platform/x11/clipboard-hold.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/x11/selection-serve.h"

#define HOLDER_FD 3

gboolean hf_clipboard_hold_start(const HfClipboardHolding *holding)
{
    g_autofree char *time = g_strdup_printf("%u", holding->time);
    const char *argv[] = {"/proc/self/exe",
                          "hold-clipboard",
                          holding->display ? holding->display : "",
                          hf_selection_name(holding->selection),
                          holding->path,
                          time,
                          NULL};
    const int source[] = {holding->fd}, target[] = {HOLDER_FD};
    /* Without DO_NOT_REAP_CHILD, GLib starts a grandchild: no zombie, no parent. */
    return g_spawn_async_with_pipes_and_fds(
        "/", argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, -1,
        -1, -1, source, target, G_N_ELEMENTS(source), NULL, NULL, NULL, NULL, NULL);
}

static void leave_the_desk(void)
{
    setsid();
    close_range(HOLDER_FD + 1, ~0U, 0);
    fcntl(HOLDER_FD, F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
}

int hf_clipboard_hold_main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    leave_the_desk();
    const char *display = *argv[2] ? argv[2] : NULL;
    HfSelection selection =
        g_str_equal(argv[3], "PRIMARY") ? HF_SELECTION_PRIMARY : HF_SELECTION_CLIPBOARD;
    g_autofree char *server_mark = NULL;
    g_autoptr(HfClipboardFile) file = hf_clipboard_file_new_inherited(argv[4], HOLDER_FD);
    g_autoptr(HfClipboardData) data = hf_clipboard_file_load(file, &server_mark);
    if (!data)
        return 1;
    g_autoptr(HfSelectionServer) server = hf_selection_server_new(display);
    HfSelectionClaim claim = {.selection = selection,
                              .time = (xcb_timestamp_t)g_ascii_strtoull(argv[5], NULL, 10),
                              .content = data,
                              .file = file};
    gboolean taken = FALSE;
    if (!hf_selection_server_claim(server, &claim, &taken, NULL))
        return 1;
    HfClipboardFile *served = g_steal_pointer(&file);
    if (!taken)
        hf_clipboard_file_remove(served); /* somebody has copied something newer */
    hf_selection_server_join(server);
    return 0;
}
