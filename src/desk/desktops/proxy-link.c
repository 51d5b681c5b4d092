/* SPDX-License-Identifier: Apache-2.0 */
/* A thread reads what the proxy reports. The socket ties its life to ours: when this process ends,
 * however that happens, the proxy reads the end and goes. A proxy that cannot be told new lists is
 * killed: the next one begins with them. */
#include "desk/desktops/proxy-link.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desk/desktops/adopted-processes.h"
#include "desk/desktops/child-process.h"
#include "desk/desktops/desktops-limits.h"
#include "shared/base/error.h"
#include "shared/wire/frame.h"
#include "shared/wire/proxy-protocol.h"

struct HfProxyLink {
    int listener;
    GThread *supervisor;
    GMutex lock; /* guards what follows */
    GCond changed;
    gboolean stopping; /* the link ends */
    gboolean stopped;  /* the desktop is, for now */
    int socket;        /* -1: none runs */
    pid_t pid;
    json_t *lists;
    json_t *refused; /* newest last */
};

/* ---- the process ---- */

/* It needs nothing of our environment but these. */
static char **dup_proxy_environment(void)
{
    static const char *const passed[] = {"PATH",         "LANG",          "LC_ALL",
                                         "RES_OPTIONS",  "LOCALDOMAIN",   "ASAN_OPTIONS",
                                         "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};
    char **environment = g_new0(char *, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(passed); i++)
        if (g_getenv(passed[i]))
            environment = g_environ_setenv(environment, passed[i], g_getenv(passed[i]), TRUE);
    return environment;
}

static pid_t spawn_proxy(int socket, int listener, GError **error)
{
    char *command[] = {"/proc/self/exe", "proxy", NULL};
    const int descriptors[HF_MOST_PASSED] = {socket, listener, -1, -1, -1};
    g_auto(GStrv) environment = dup_proxy_environment();
    pid_t pid = 0;
    hf_adopted_processes_lock();
    int reason = hf_child_process_spawn(command, environment, descriptors, &pid);
    hf_adopted_processes_unlock(reason == 0 ? pid : 0);
    if (reason == 0)
        return pid;
    hf_fail(error, HF_ERROR_INTERNAL, "the proxy cannot be started: %s", g_strerror(reason));
    return 0;
}

static void reap_proxy(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    hf_adopted_processes_forget(pid);
}

static void set_socket_limit(int socket, int option, int limit_ms)
{
    struct timeval limit = {limit_ms / 1000, limit_ms % 1000 * 1000};
    setsockopt(socket, SOL_SOCKET, option, &limit, sizeof limit);
}

/* With the lock held, or before others know the link. */
static gboolean send_lists(HfProxyLink *link)
{
    json_t *message = json_copy(link->lists);
    json_object_set_new(message, "type", json_string(HF_PROXY_LISTS));
    g_autoptr(HfFrame) frame = hf_frame_new(message);
    return hf_frame_write(link->socket, frame, NULL);
}

static gboolean wait_until_proxy_ready(const HfProxyLink *link)
{
    set_socket_limit(link->socket, SO_RCVTIMEO, HF_LIMIT_PROXY_START_MS);
    g_autoptr(HfFrame) frame = hf_frame_read(link->socket, NULL);
    set_socket_limit(link->socket, SO_RCVTIMEO, 0);
    return frame && g_str_equal(hf_json_string(frame->json, "type", ""), HF_PROXY_READY);
}

/* The same. */
static gboolean start_proxy_process(HfProxyLink *link, GError **error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot create a socket for the proxy: %s",
                       g_strerror(errno));
    for (int i = 0; i < 2; i++)
        set_socket_limit(ends[i], SO_SNDTIMEO, HF_LIMIT_PROXY_START_MS);
    link->pid = spawn_proxy(ends[1], link->listener, error);
    link->socket = ends[0];
    close(ends[1]);
    if (link->pid != 0 && send_lists(link) && wait_until_proxy_ready(link))
        return TRUE;
    if (link->pid != 0) {
        kill(link->pid, SIGKILL);
        reap_proxy(link->pid);
        hf_fail(error, HF_ERROR_INTERNAL,
                "the proxy has ended at once; see its message in the output of handfast serve");
    }
    close(link->socket);
    link->socket = -1;
    link->pid = 0;
    return FALSE;
}

/* ---- its reports ---- */

static void note_refused(HfProxyLink *link, const json_t *report)
{
    g_autoptr(json_t) entry =
        json_pack("{s:o, s:i, s:o}", "host", hf_json_text(hf_json_string(report, "host", "")),
                  "port", (int)hf_json_int(report, "port", 0), "reason",
                  hf_json_text(hf_json_string(report, "reason", "")));
    g_debug("refused: %s", hf_json_string(report, "reason", ""));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    for (gsize i = json_array_size(link->refused); i-- > 0;)
        if (json_equal(json_array_get(link->refused, i), entry))
            json_array_remove(link->refused, i);
    json_array_append(link->refused, entry);
    if (json_array_size(link->refused) > HF_LIMIT_PROXY_REFUSED_KEPT)
        json_array_remove(link->refused, 0);
}

static void read_reports(HfProxyLink *link, int socket)
{
    HfFrame *frame;
    while ((frame = hf_frame_read(socket, NULL))) {
        if (g_str_equal(hf_json_string(frame->json, "type", ""), HF_PROXY_REFUSED))
            note_refused(link, frame->json);
        hf_frame_free(frame);
    }
}

/* It has hung up, and usually ends by itself then. */
static void end_proxy_process(HfProxyLink *link)
{
    int process = pidfd_open(link->pid, 0);
    struct pollfd wait = {process, POLLIN, 0};
    shutdown(link->socket, SHUT_RDWR);
    if (process < 0 || poll(&wait, 1, HF_LIMIT_PROXY_END_MS) <= 0)
        kill(link->pid, SIGKILL);
    if (process >= 0)
        close(process);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    reap_proxy(link->pid);
    close(link->socket);
    link->socket = -1;
    link->pid = 0;
}

/* A while after its death, or at the end of a stop. With the lock held. */
static void wait_to_restart(HfProxyLink *link)
{
    gint64 until = g_get_monotonic_time() + HF_LIMIT_PROXY_RESTART_MS * (gint64)1000;
    while (!link->stopping && !link->stopped &&
           g_cond_wait_until(&link->changed, &link->lock, until))
        ;
    while (!link->stopping && link->stopped)
        g_cond_wait(&link->changed, &link->lock);
}

/* FALSE: the link ends. */
static gboolean restart_proxy(HfProxyLink *link)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    gboolean started = FALSE;
    while (!link->stopping && !started) {
        wait_to_restart(link);
        started = !link->stopping && start_proxy_process(link, NULL);
    }
    return started;
}

static gpointer supervise_proxy(gpointer data)
{
    HfProxyLink *link = data;
    do {
        read_reports(link, link->socket);
        end_proxy_process(link);
    } while (restart_proxy(link));
    return NULL;
}

/* ---- the link ---- */

HfProxyLink *hf_proxy_link_start(int take_listener, const json_t *lists, GError **error)
{
    HfProxyLink *link = g_new0(HfProxyLink, 1);
    link->listener = take_listener;
    link->socket = -1;
    link->lists = json_deep_copy(lists);
    link->refused = json_array();
    g_mutex_init(&link->lock);
    g_cond_init(&link->changed);
    if (start_proxy_process(link, error)) {
        link->supervisor = g_thread_new("proxy", supervise_proxy, link);
        return link;
    }
    hf_proxy_link_free(link);
    return NULL;
}

void hf_proxy_link_free(HfProxyLink *link)
{
    if (!link)
        return;
    g_mutex_lock(&link->lock);
    link->stopping = TRUE;
    if (link->socket >= 0)
        shutdown(link->socket, SHUT_RDWR);
    g_cond_broadcast(&link->changed);
    g_mutex_unlock(&link->lock);
    if (link->supervisor)
        g_thread_join(link->supervisor);
    close(link->listener);
    json_decref(link->lists);
    json_decref(link->refused);
    g_mutex_clear(&link->lock);
    g_cond_clear(&link->changed);
    g_free(link);
}

void hf_proxy_link_set_lists(HfProxyLink *link, const json_t *lists)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    json_decref(link->lists);
    link->lists = json_deep_copy(lists);
    /* Killed, not asked: the old lists must not hold a moment longer. */
    if (link->socket >= 0 && !send_lists(link) && link->pid != 0)
        kill(link->pid, SIGKILL);
}

void hf_proxy_link_set_stopped(HfProxyLink *link, gboolean stopped)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    link->stopped = stopped;
    if (stopped && link->pid != 0)
        kill(link->pid, SIGKILL);
    g_cond_broadcast(&link->changed);
}

const char *hf_proxy_link_find_problem(HfProxyLink *link)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    return link->stopped    ? "none while the desktop is stopped"
           : link->pid == 0 ? "none: the proxy has ended, and is being started again"
                            : NULL;
}

json_t *hf_proxy_link_dup_refused(HfProxyLink *link)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&link->lock);
    return json_deep_copy(link->refused);
}
