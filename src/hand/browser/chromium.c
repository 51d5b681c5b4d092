/* SPDX-License-Identifier: Apache-2.0 */
/* The flags keep the browser quiet (no first run, no updates, no sync), keep background tabs awake,
 * and leave one way to the network: a proxy for everything, loopback included, no name lookups of
 * its own, and no UDP. */
#include "hand/browser/chromium.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand/apps/apps-limits.h"
#include "hand/apps/process-info.h"
#include "hand/browser/network/socks-proxy.h"
#include "shared/base/deadline.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/paths.h"
#include "shared/process/processes.h"

static const char *const names[] = {"chromium", "chromium-browser", "google-chrome-stable",
                                    "google-chrome", NULL};

static const char *const fixed_flags[] = {
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    /* We create the first page ourselves: one of the browser's could replace it. */
    "--no-startup-window",
    "--allow-browser-signin=false",
    /* It asks there who is signed in, whatever the flags say: it gets nowhere. */
    "--gaia-url=https://" HF_SOCKS_NOWHERE,
    /* The same for updates of its parts: such a host would be reported as blocked. */
    "--component-updater=url-source=https://" HF_SOCKS_NOWHERE,
    "--apps-gallery-update-url=https://" HF_SOCKS_NOWHERE,
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-field-trial-config",
    "--disable-search-engine-choice-screen",
    "--disable-session-crashed-bubble",
    "--hide-crash-restore-bubble",
    "--noerrdialogs",
    "--metrics-recording-only",
    "--password-store=basic",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-back-forward-cache",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-features=Translate,HttpsUpgrades,MediaRouter,OptimizationHints,"
    "DialMediaRouteProvider,"
    "PaintHolding,AutofillServerCommunication,InterestFeedContentSuggestions,GlobalMediaControls",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    /* observe and find see pages through the accessibility tree, and pictures find password fields
       there. */
    "--force-renderer-accessibility",
};

/* Chromium never offers to save anything, and a kill does not make it ask at the next start. */
#define PREFERENCES                                                                                \
    "{\"credentials_enable_service\":false,\"credentials_enable_autosignin\":false,"               \
    "\"profile\":{\"password_manager_enabled\":false,\"exit_type\":\"Normal\"},"                   \
    "\"autofill\":{\"profile_enabled\":false,\"credit_card_enabled\":false},"                      \
    "\"webrtc\":{\"ip_handling_policy\":\"disable_non_proxied_udp\"},"                             \
    "\"net\":{\"network_prediction_options\":2}}"

struct HfChromium {
    GSubprocess *process;
    int pid;
};

/* The program's path; NULL with APP_NOT_FOUND. */
static char *find_chromium(GError **error)
{
    for (gsize i = 0; names[i]; i++) {
        char *path = g_find_program_in_path(names[i]);
        if (path)
            return path;
    }
    hf_fail(error, HF_ERROR_APP_NOT_FOUND, "Chromium is not installed");
    hf_error_suggest(error, "install it, for example: apt install chromium");
    return NULL;
}

/* ---- the profile ---- */

/* Kills a browser that a dead hand has left and that has not noticed yet. */
static void end_left_over(const char *profile)
{
    g_autoptr(GArray) all = hf_processes_list();
    g_autofree char *flag = g_strconcat("--user-data-dir=", profile, NULL);
    for (guint i = all->len; i-- > 0;) {
        g_auto(GStrv) arguments = hf_process_dup_arguments(g_array_index(all, HfProcess, i).pid);
        if (!arguments || !g_strv_contains((const char *const *)arguments, flag))
            g_array_remove_index_fast(all, i);
    }
    if (all->len > 0)
        hf_processes_end(all, SIGKILL, HF_LIMIT_KILL_MS);
    const char *locks[] = {"SingletonLock", "SingletonSocket", "SingletonCookie"};
    for (gsize i = 0; i < G_N_ELEMENTS(locks); i++) {
        g_autofree char *lock = g_build_filename(profile, locks[i], NULL);
        g_unlink(lock);
    }
}

static gboolean prepare_profile(const char *profile, GError **error)
{
    g_autofree char *folder = g_build_filename(profile, "Default", NULL);
    g_autofree char *preferences = g_build_filename(folder, "Preferences", NULL);
    if (g_mkdir_with_parents(folder, 0700) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the browser's profile %s: %s",
                       profile, g_strerror(errno));
    end_left_over(profile);
    if (!g_file_test(preferences, G_FILE_TEST_EXISTS))
        g_file_set_contents(preferences, PREFERENCES, -1, NULL);
    return TRUE;
}

/* ---- starting ---- */

static char **dup_arguments(const char *program, const HfChromiumOptions *options)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_autofree char *profile = g_strconcat("--user-data-dir=", options->profile, NULL);
    g_autofree char *proxy =
        g_strdup_printf("--proxy-server=socks5://127.0.0.1:%u", options->proxy_port);
    g_autofree char *size =
        g_strdup_printf("--window-size=%d,%d", options->window.width, options->window.height);
    g_strv_builder_add_many(builder, program, profile, proxy, size, "--window-position=0,0", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(fixed_flags); i++)
        g_strv_builder_add(builder, fixed_flags[i]);
    /* Chromium's sandbox does not work for root; without --test-type a notice covers the page. */
    if (geteuid() == 0)
        g_strv_builder_add_many(builder, "--no-sandbox", "--test-type", NULL);
    return g_strv_builder_end(builder);
}

/* A session of its own makes it possible to kill everything at once. */
static void lead_session(gpointer unused)
{
    setsid();
}

typedef struct Pipes {
    int commands[2], answers[2];
} Pipes;

static void pipes_clear(Pipes *pipes)
{
    int *fds[] = {&pipes->commands[0], &pipes->commands[1], &pipes->answers[0], &pipes->answers[1]};
    for (gsize i = 0; i < G_N_ELEMENTS(fds); i++)
        if (*fds[i] >= 0)
            close(*fds[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pipes, pipes_clear)

HfChromium *hf_chromium_start(const HfChromiumOptions *options, int *ret_read_fd, int *ret_write_fd,
                              GError **error)
{
    g_auto(Pipes) pipes = {{-1, -1}, {-1, -1}};
    g_autofree char *program = find_chromium(error);
    if (!program || !prepare_profile(options->profile, error))
        return NULL;
    if (pipe2(pipes.commands, O_CLOEXEC) != 0 || pipe2(pipes.answers, O_CLOEXEC) != 0) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "cannot create a pipe to the browser: %s",
                g_strerror(errno));
        return NULL;
    }
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    g_subprocess_launcher_set_child_setup(launcher, lead_session, NULL, NULL);
    g_subprocess_launcher_take_fd(launcher, hf_fd_steal(&pipes.commands[0]), 3);
    g_subprocess_launcher_take_fd(launcher, hf_fd_steal(&pipes.answers[1]), 4);
    g_auto(GStrv) arguments = dup_arguments(program, options);
    g_autoptr(GError) problem = NULL;
    GSubprocess *process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)arguments, &problem);
    if (!process) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "cannot start %s: %s", program,
                problem->message);
        return NULL;
    }
    HfChromium *chromium = g_new0(HfChromium, 1);
    chromium->process = process;
    const char *identifier = g_subprocess_get_identifier(process);
    chromium->pid = identifier ? atoi(identifier) : 0;
    *ret_read_fd = hf_fd_steal(&pipes.answers[0]);
    *ret_write_fd = hf_fd_steal(&pipes.commands[1]);
    return chromium;
}

int hf_chromium_get_pid(const HfChromium *chromium)
{
    return chromium->pid;
}

gboolean hf_chromium_is_running(const HfChromium *chromium)
{
    HfProcess process;
    return hf_process_read(chromium->pid, &process) && process.state != 'Z';
}

/* ---- ending ---- */

char *hf_chromium_dup_end_reason(const HfChromium *chromium)
{
    if (hf_chromium_is_running(chromium) || !g_subprocess_wait(chromium->process, NULL, NULL))
        return g_strdup("does not answer");
    if (g_subprocess_get_if_signaled(chromium->process))
        return g_strdup_printf("was killed or has crashed (signal %d)",
                               g_subprocess_get_term_sig(chromium->process));
    int status = g_subprocess_get_exit_status(chromium->process);
    return status == 0 ? g_strdup("was closed")
                       : g_strdup_printf("has ended with status %d", status);
}

/* All its processes stay in its session. As long as one of them lives, no other group has that id.
 */
static GArray *list_session(const HfChromium *chromium)
{
    GArray *all = hf_processes_list();
    for (guint i = all->len; i-- > 0;)
        if (g_array_index(all, HfProcess, i).session != chromium->pid)
            g_array_remove_index_fast(all, i);
    return all;
}

void hf_chromium_kill(HfChromium *chromium)
{
    if (chromium->pid <= 1)
        return;
    g_autoptr(GArray) all = list_session(chromium);
    kill(-chromium->pid, SIGKILL);
    /* Its helpers have other groups. Usually they end with it, but not while they are stopped. */
    for (guint i = 0; i < all->len; i++)
        kill(g_array_index(all, HfProcess, i).pid, SIGKILL);
}

static gboolean wait_for_chromium_exit(const HfChromium *chromium, int milliseconds)
{
    HfDeadline deadline = hf_deadline_in_ms(milliseconds, NULL);
    int fd = hf_process_open(chromium->pid);
    gboolean ended = fd < 0 || hf_deadline_wait_readable(&deadline, fd, NULL);
    if (fd >= 0)
        close(fd);
    return ended;
}

void hf_chromium_end(HfChromium *chromium, int grace_ms)
{
    if (chromium->pid <= 1)
        return;
    wait_for_chromium_exit(chromium, grace_ms);
    g_autoptr(GArray) left = list_session(chromium);
    hf_chromium_kill(chromium);
    hf_processes_end(left, SIGKILL, HF_LIMIT_KILL_MS);
    g_subprocess_wait(chromium->process, NULL, NULL);
}

void hf_chromium_free(HfChromium *chromium)
{
    if (!chromium)
        return;
    g_object_unref(chromium->process);
    g_free(chromium);
}
