/* SPDX-License-Identifier: Apache-2.0 */
/* The handler only writes a byte. A signal that arrives before the desk exists takes effect as soon
 * as it does. */
#include "desk/main/stop-signal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

#include "desk/guard/stop/stop-control.h"

static int ends[2] = {-1, -1};
static GThread *thread;

static void on_stop_signal(int number)
{
    int saved = errno;
    ssize_t written = write(ends[1], "s", 1);
    (void)written;
    errno = saved;
}

void hf_stop_signal_prepare(void)
{
    if (!g_unix_open_pipe(ends, FD_CLOEXEC, NULL))
        return;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_stop_signal, .sa_flags = SA_RESTART},
              NULL);
}

static gpointer wait_for_signals(gpointer desk)
{
    char what;
    for (;;) {
        ssize_t got = read(ends[0], &what, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != 1 || what != 's')
            return NULL;
        hf_guard_stop(hf_desk_get_guard(desk), NULL, "a signal (SIGUSR2)", NULL, NULL, NULL);
    }
}

void hf_stop_signal_begin(HfDesk *desk)
{
    thread = g_thread_new("stop-signal", wait_for_signals, desk);
}

void hf_stop_signal_end(void)
{
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    ssize_t written = write(ends[1], "q", 1);
    if (written == 1 && thread)
        g_thread_join(g_steal_pointer(&thread));
}
