/* SPDX-License-Identifier: Apache-2.0 */
/* The table of servers. When the X server dies, the desktop is over. The others are restarted a
 * few times, with growing delays. */
#include "stage/server.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/stage-protocol.h"
#include "stage/spawn.h"
#include "stage/stage-limits.h"

#define TAIL_BYTES 400

static int open_log_file(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

gboolean hf_server_log_open(HfServerLog *log, const char *folder, const char *name, GError **error)
{
    int ends[2];
    g_autofree char *path = g_strdup_printf("%s/%s.log", folder, name);
    int file = open_log_file(path);
    if (file < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", path,
                       g_strerror(errno));
    if (pipe2(ends, O_CLOEXEC) < 0) {
        close(file);
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *log = (HfServerLog){g_steal_pointer(&path), ends[0], ends[1], file, 0};
    return TRUE;
}

static void turn_over(HfServerLog *log)
{
    g_autofree char *old = g_strconcat(log->path, ".old", NULL);
    int file;
    rename(log->path, old);
    if ((file = open_log_file(log->path)) < 0)
        return;
    close(log->file);
    log->file = file;
    log->size = 0;
}

void hf_server_log_take(HfServerLog *log)
{
    char buffer[4096];
    ssize_t length = read(log->input, buffer, sizeof buffer);
    if (length <= 0)
        return;
    if (log->size + (gsize)length > HF_LIMIT_LOG_BYTES)
        turn_over(log);
    if (log->size + (gsize)length <= HF_LIMIT_LOG_BYTES &&
        write(log->file, buffer, (gsize)length) == length)
        log->size += (gsize)length;
}

char *hf_server_log_dup_tail(HfServerLog *log)
{
    char buffer[TAIL_BYTES + 1];
    hf_server_log_take(log);
    off_t from = (off_t)(log->size > TAIL_BYTES ? log->size - TAIL_BYTES : 0);
    ssize_t length = pread(log->file, buffer, TAIL_BYTES, from);
    buffer[MAX(length, 0)] = 0;
    g_autofree char *text = g_utf8_make_valid(buffer, -1);
    g_strdelimit(text, "\r\n\t", ' ');
    return g_strdup(g_strstrip(text));
}

void hf_server_log_clear(HfServerLog *log)
{
    if (!log->path)
        return;
    close(log->input);
    close(log->output);
    close(log->file);
    g_clear_pointer(&log->path, g_free);
}

#define SETTINGS_FROM_SCALE 2
/* A server that lived this long starts with a fresh count of restarts. */
#define LONG_LIFE_US     (60 * (gint64)G_USEC_PER_SEC)
#define FIRST_BACKOFF_US (100 * (gint64)1000)

static const struct {
    const char *name, *package;
} table[HF_SERVER_COUNT] = {
    [HF_SERVER_X] = {"x-server", "xvfb"},
    [HF_SERVER_BUS] = {"session-bus", "dbus-daemon"},
    [HF_SERVER_SETTINGS] = {"settings", "handfast"},
    [HF_SERVER_MANAGER] = {"window-manager", "openbox"},
};

static void append_arguments(GPtrArray *arguments, const char *const *words)
{
    for (; *words; words++)
        g_ptr_array_add(arguments, g_strdup(*words));
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* GLX would load a software renderer: 54 MB in the first server, 13 in each further one. The
 * screen saver would blank the screen after ten minutes. */
static void add_x_arguments(GPtrArray *arguments, const HfStageOptions *options,
                            const HfEnvironment *environment)
{
    g_autofree char *screen =
        g_strdup_printf("%dx%dx%d", options->width, options->height, options->depth);
    g_autofree char *dpi = g_strdup_printf("%d", (int)round(96 * options->scale));
    g_autofree char *number = g_strdup_printf(":%d", options->display_number);
    append_arguments(arguments, WORDS("Xvfb", "-displayfd", "3", "-screen", "0", screen, "-dpi",
                                      dpi, "-nolisten", "tcp", "-noreset", "-s", "0", "-auth",
                                      hf_environment_get(environment, "XAUTHORITY")));
    if (options->display_number > 0)
        append_arguments(arguments, WORDS(number));
    if (!options->opengl)
        append_arguments(arguments, WORDS("-extension", "GLX"));
}

static char **make_arguments(HfServerKind kind, const HfStageOptions *options,
                             const HfEnvironment *environment)
{
    if (kind == HF_SERVER_SETTINGS && options->scale < SETTINGS_FROM_SCALE)
        return NULL;
    GPtrArray *arguments = g_ptr_array_new();
    if (kind == HF_SERVER_X) {
        add_x_arguments(arguments, options, environment);
    } else if (kind == HF_SERVER_BUS) {
        g_autofree char *address = g_strconcat(
            "--address=", hf_environment_get(environment, "DBUS_SESSION_BUS_ADDRESS"), NULL);
        append_arguments(arguments, WORDS("dbus-daemon", "--session", "--nofork", "--nopidfile",
                                          "--nosyslog", address, "--print-address=3"));
    } else if (kind == HF_SERVER_SETTINGS) {
        char scale[G_ASCII_DTOSTR_BUF_SIZE];
        append_arguments(arguments, WORDS("/proc/self/exe", "stage", "--settings",
                                          g_ascii_dtostr(scale, sizeof scale, options->scale)));
    } else {
        g_autofree char *config = g_build_filename(
            hf_environment_get(environment, HF_MARK_DIRECTORY), "openbox.xml", NULL);
        append_arguments(arguments, WORDS("openbox", "--sm-disable", "--config-file", config));
    }
    g_ptr_array_add(arguments, NULL);
    return (char **)g_ptr_array_free(arguments, FALSE);
}

gboolean hf_server_init(HfServer *server, HfServerKind kind, const HfStageOptions *options,
                        const HfEnvironment *environment, GError **error)
{
    *server = (HfServer){.name = table[kind].name, .package = table[kind].package};
    server->arguments = make_arguments(kind, options, environment);
    return !server->arguments ||
           hf_server_log_open(&server->log, hf_environment_get(environment, HF_MARK_DIRECTORY),
                              server->name, error);
}

gboolean hf_server_start(HfServer *server, const HfEnvironment *environment, int pass,
                         GError **error)
{
    /* Keeps the window manager from writing to the user's cache. */
    g_auto(GStrv) own =
        g_environ_setenv(g_strdupv((char **)hf_environment_list(environment)), "XDG_CACHE_HOME",
                         hf_environment_get(environment, HF_MARK_DIRECTORY), TRUE);
    gboolean tidy = g_str_equal(server->name, table[HF_SERVER_MANAGER].name);
    HfSpawn what = {(const char *const *)server->arguments,
                    tidy ? own : hf_environment_list(environment), server->log.output,
                    pass >= 0 ? pass : server->log.output};
    server->started_us = g_get_monotonic_time();
    server->due_us = 0;
    server->pid = hf_spawn(&what, error);
    if (server->pid == 0 && error &&
        g_error_matches(*error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED))
        hf_error_suggest(error, "install it: apt install %s", server->package);
    return server->pid != 0;
}

gboolean hf_server_died(HfServer *server)
{
    gint64 now = g_get_monotonic_time();
    server->pid = 0;
    server->deaths = now - server->started_us > LONG_LIFE_US ? 1 : server->deaths + 1;
    if (g_str_equal(server->name, table[HF_SERVER_X].name) ||
        server->deaths > HF_LIMIT_SERVER_RESTARTS)
        return FALSE;
    server->due_us = now + (FIRST_BACKOFF_US << (server->deaths - 1));
    return TRUE;
}

void hf_server_fail(HfServer *server, const char *what, GError **error)
{
    g_autofree char *tail = hf_server_log_dup_tail(&server->log);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "'%s' %s%s%s", server->arguments[0], what,
            *tail ? ": " : "", tail);
}

void hf_server_clear(HfServer *server)
{
    g_clear_pointer(&server->arguments, g_strfreev);
    hf_server_log_clear(&server->log);
}
