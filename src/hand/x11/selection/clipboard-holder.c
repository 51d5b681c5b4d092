/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a holder, and being one. The holder must not keep anything of the desk: its session,
 * directory and descriptors are its own before it does anything else. */
#include "hand/x11/selection/clipboard-holder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hand/x11/selection/selection-serve.h"

#define HOLDER_FD 3

/* What is needed to reach the X server, and nothing else: marks of the desk in the environment
 * would make its successor take the holder for a leftover. */
static char **new_holder_environment(void)
{
    static const char *const needed[] = {"HOME", "XAUTHORITY", "PATH"};
    char **environment = g_new0(char *, 1);
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (g_getenv(needed[i]))
            environment = g_environ_setenv(environment, needed[i], g_getenv(needed[i]), TRUE);
    return environment;
}

gboolean hf_clipboard_holder_start(const HfClipboardHolding *holding)
{
    g_autofree char *time = g_strdup_printf("%u", holding->time);
    g_auto(GStrv) environment = new_holder_environment();
    const char *argv[] = {"/proc/self/exe",
                          "handfast",
                          "hold-clipboard",
                          holding->display ? holding->display : "",
                          hf_selection_name(holding->selection),
                          holding->path,
                          time,
                          NULL};
    const int source[] = {holding->fd}, target[] = {HOLDER_FD};
    /* Without DO_NOT_REAP_CHILD, GLib starts a grandchild, which leaves no zombie here. */
    return g_spawn_async_with_pipes_and_fds(
        "/", argv, (const char *const *)environment,
        G_SPAWN_FILE_AND_ARGV_ZERO | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
        NULL, -1, -1, -1, source, target, G_N_ELEMENTS(source), NULL, NULL, NULL, NULL, NULL);
}

static void leave_the_desk(void)
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
    leave_the_desk();
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
    /* Not taken: somebody has copied something newer, or the X server for which it was saved has
     * gone. Either way nobody will ever want the file. Taken: it is the server's to remove. */
    if (!taken)
        hf_clipboard_file_remove(file);
    hf_selection_server_join(server);
    return taken ? 0 : 1;
}
