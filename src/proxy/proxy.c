/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the desk's lists until the desk hangs up, which also happens when it is killed. It has what
 * it needs before the first connection: no lists, no service. It gives up root, because what it
 * parses comes from programs that nobody trusts. */
#include "proxy/proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proxy/proxy-limits.h"
#include "proxy/proxy-server.h"
#include "shared/process/untraceable.h"
#include "shared/wire/frame.h"
#include "shared/wire/proxy-protocol.h"

/* The user nobody, on every Linux. */
#define NOBODY 65534

typedef struct Reports {
    GMutex lock; /* one frame at a time */
    gint64 since_us;
    guint count;
} Reports;

static gboolean send_report(json_t *take_message)
{
    g_autoptr(HfFrame) frame = hf_frame_new(take_message);
    return hf_frame_write(HF_PROXY_SOCKET, frame, NULL);
}

/* A program that knocks without end must not keep the desk busy. */
static void report_refused(const char *host, guint16 port, const char *reason, gpointer data)
{
    Reports *reports = data;
    gint64 now = g_get_monotonic_time();
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&reports->lock);
    if (now - reports->since_us > HF_LIMIT_PROXY_REPORTS_MS * (gint64)1000) {
        reports->since_us = now;
        reports->count = 0;
    }
    if (reports->count++ < HF_LIMIT_PROXY_REPORTS)
        send_report(json_pack("{s:s, s:o, s:i, s:o}", "type", HF_PROXY_REFUSED, "host",
                              hf_json_text(host), "port", (int)port, "reason",
                              hf_json_text(reason)));
}

static gboolean is_socket(int descriptor)
{
    struct stat info;
    return fstat(descriptor, &info) == 0 && S_ISSOCK(info.st_mode);
}

static gboolean give_up_root(void)
{
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
                           setresuid(NOBODY, NOBODY, NOBODY) != 0))
        return FALSE;
    hf_untraceable_begin();
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* Each connection takes two descriptors. */
static void raise_descriptor_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = MIN(files.rlim_max, 4 * HF_LIMIT_PROXY_CLIENTS);
    setrlimit(RLIMIT_NOFILE, &files);
}

static gboolean set_up_proxy(void)
{
    if (!is_socket(HF_PROXY_SOCKET) || !is_socket(HF_PROXY_LISTENER)) {
        fprintf(stderr, "handfast proxy is started by the desk; see: handfast help config\n");
        return FALSE;
    }
    close_range(HF_PROXY_LISTENER + 1, ~0U, 0);
    fcntl(HF_PROXY_SOCKET, F_SETFD, FD_CLOEXEC);
    fcntl(HF_PROXY_LISTENER, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_NAME, "handfast-proxy");
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    if (give_up_root())
        return TRUE;
    fprintf(stderr, "handfast proxy: cannot give up root: %s\n", g_strerror(errno));
    return FALSE;
}

int hf_proxy_main(int argc, char **argv)
{
    Reports reports = {.since_us = g_get_monotonic_time()};
    HfProxyServer *server = NULL;
    HfFrame *frame;
    if (!set_up_proxy())
        return 2;
    g_mutex_init(&reports.lock);
    while ((frame = hf_frame_read(HF_PROXY_SOCKET, NULL))) {
        if (server) {
            hf_proxy_server_set_lists(server, frame->json);
        } else {
            g_mutex_lock(&reports.lock);
            send_report(json_pack("{s:s}", "type", HF_PROXY_READY));
            g_mutex_unlock(&reports.lock);
            server = hf_proxy_server_new(HF_PROXY_LISTENER, frame->json, report_refused, &reports);
        }
        hf_frame_free(frame);
    }
    hf_proxy_server_free(server);
    g_mutex_clear(&reports.lock);
    return 0;
}
