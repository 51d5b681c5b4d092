/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a stage, sends orders and receives events. The channel ties its life to ours: when this
 * process ends, however that happens, the channel closes and the stage ends its desktop. A
 * parent-death signal would not work: it fires when the forking thread ends. */
#include "desk/desktops/stage-link.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desk/desktops/stale-desktops.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/wire/channel.h"

struct HfStageLink {
    gatomicrefcount refs; /* of the owner and of the event source */
    pid_t pid;            /* 0 once reaped */
    int process;          /* a pidfd: readable when the stage ends */
    int channel;
    HfStageKind kind;
    char *name, *id, *runtime_dir;
    json_t *facts;
    GRecMutex handling;      /* held while an event is handled; guards what follows */
    HfStageEventFunc handle; /* NULL: nobody listens */
    gpointer data;
    GSource *source; /* NULL: never listened */
};

/* ---- starting ---- */

static char *make_id(void)
{
    guint64 number[2] = {0, 0};
    if (getrandom(number, sizeof number, 0) != sizeof number)
        number[0] = (guint64)g_get_real_time();
    return g_strdup_printf("%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", number[0],
                           number[1]);
}

/* In its own session: a Ctrl+C in our terminal must not reach the X server before us. */
static int spawn_stage(const char *program, const HfStageLink *link, int channel, pid_t *ret_pid)
{
    char *arguments[] = {"handfast", "stage", link->name, NULL};
    g_auto(GStrv) marked = g_environ_setenv(g_get_environ(), HF_MARK_STAGE, link->id, TRUE);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel, HF_INHERITED_DESCRIPTOR);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int reason = posix_spawn(ret_pid, program, &actions, &attributes, arguments, marked);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static gboolean start_stage_process(HfStageLink *link, const char *program, GError **error)
{
    int ends[2];
    if (!hf_channel_pair(ends, error))
        return FALSE;
    int reason = spawn_stage(program ? program : "/proc/self/exe", link, ends[1], &link->pid);
    close(ends[1]);
    link->channel = ends[0];
    if (reason != 0) {
        link->pid = 0;
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot start the stage of desktop '%s': %s",
                       link->name, g_strerror(reason));
    }
    /* Our child is not reaped yet, so the pid is still its own. */
    link->process = pidfd_open(link->pid, 0);
    return TRUE;
}

/* The error of a failed message, with the name and the step. */
static void take_failure(const HfStageLink *link, const json_t *message, GError **error)
{
    const char *step = hf_json_string(message, "step", "unknown");
    g_autoptr(GError) reason = hf_error_new_from_json(json_object_get(message, "error"));
    g_autoptr(json_t) wire = hf_error_to_json(reason);
    hf_fail(error, hf_error_code(reason), "cannot start desktop '%s' (%s): %s", link->name, step,
            reason->message);
    hf_error_suggest(error, "%s", hf_json_string(wire, "suggestion", ""));
    hf_error_take_details(error, json_pack("{s:s}", "step", step));
}

static gboolean wait_until_ready(HfStageLink *link, const HfDeadline *deadline, GError **error)
{
    if (!hf_deadline_wait_readable(deadline, link->channel, error))
        return FALSE;
    g_autoptr(json_t) message = hf_channel_receive(link->channel, NULL, error);
    if (!message)
        return FALSE;
    if (g_str_equal(hf_json_string(message, "type", ""), HF_STAGE_READY)) {
        link->facts = g_steal_pointer(&message);
        return TRUE;
    }
    take_failure(link, message, error);
    return FALSE;
}

static gboolean open_desktop(HfStageLink *link, const HfStageOptions *options, GError **error)
{
    HfStageOptions complete = *options;
    complete.id = link->id;
    g_autoptr(json_t) opening = hf_stage_options_to_json(&complete);
    if (!opening)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the options of a desktop must be valid UTF-8");
    return hf_channel_send(link->channel, opening, -1, error);
}

HfStageLink *hf_stage_start(const char *program, const HfStageOptions *options,
                            const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfStageLink) link = g_new0(HfStageLink, 1);
    g_atomic_ref_count_init(&link->refs);
    g_rec_mutex_init(&link->handling);
    link->process = link->channel = -1;
    link->kind = options->kind;
    link->name = g_strdup(options->name ? options->name : "");
    link->id = options->id ? g_strdup(options->id) : make_id();
    link->runtime_dir = g_strdup(options->runtime_dir);
    if (!start_stage_process(link, program, error) || !open_desktop(link, options, error) ||
        !wait_until_ready(link, deadline, error))
        return NULL;
    return g_steal_pointer(&link);
}

/* ---- facts ---- */

const char *hf_stage_get_name(const HfStageLink *link)
{
    return link->name;
}

const char *hf_stage_get_id(const HfStageLink *link)
{
    return link->id;
}

HfStageKind hf_stage_get_kind(const HfStageLink *link)
{
    return link->kind;
}

const char *hf_stage_get_display(const HfStageLink *link)
{
    return hf_json_string(link->facts, "display", "");
}

const json_t *hf_stage_get_environment(const HfStageLink *link)
{
    return json_object_get(link->facts, "environment");
}

const json_t *hf_stage_get_facts(const HfStageLink *link)
{
    return link->facts;
}

pid_t hf_stage_get_pid(const HfStageLink *link)
{
    return link->pid;
}

/* ---- events ---- */

static gboolean parse_event(const json_t *message, HfStageEvent *ret_event)
{
    static const struct {
        const char *type;
        HfStageEventKind kind;
    } kinds[] = {
        {HF_STAGE_HAND_STARTED, HF_STAGE_EVENT_HAND_STARTED},
        {HF_STAGE_HAND_EXITED, HF_STAGE_EVENT_HAND_EXITED},
        {HF_STAGE_SERVER_DIED, HF_STAGE_EVENT_SERVER_DIED},
    };
    const char *type = hf_json_string(message, "type", "");
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (!g_str_equal(type, kinds[i].type))
            continue;
        *ret_event = (HfStageEvent){
            .kind = kinds[i].kind,
            .pid = (pid_t)hf_json_int(message, "pid", 0),
            .status = (int)hf_json_int(message, "status", 0),
            .which = hf_json_string(message, "which", NULL),
            .restarting = hf_json_bool(message, "restarting", FALSE),
        };
        return TRUE;
    }
    return FALSE;
}

static void unref_stage_link(gpointer data)
{
    HfStageLink *link = data;
    if (!g_atomic_ref_count_dec(&link->refs))
        return;
    if (link->process >= 0)
        close(link->process);
    if (link->channel >= 0)
        close(link->channel);
    g_rec_mutex_clear(&link->handling);
    json_decref(link->facts);
    g_free(link->runtime_dir);
    g_free(link->name);
    g_free(link->id);
    g_free(link);
}

/* With `handling` held: FALSE when the stage is gone. */
static gboolean handle_stage_message(HfStageLink *link)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) message = hf_channel_receive(link->channel, NULL, &error);
    HfStageEvent event = {.kind = HF_STAGE_EVENT_GONE};
    gboolean gone = !message && hf_error_code(error) == HF_ERROR_DESKTOP_UNAVAILABLE;
    if ((gone || (message && parse_event(message, &event))) && link->handle)
        link->handle(link, &event, link->data);
    return !gone;
}

static gboolean on_stage_readable(int channel, GIOCondition condition, gpointer data)
{
    HfStageLink *link = data;
    (void)channel, (void)condition;
    g_rec_mutex_lock(&link->handling);
    gboolean go_on = handle_stage_message(link);
    g_rec_mutex_unlock(&link->handling);
    return go_on ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void hf_stage_watch(HfStageLink *link, GMainContext *context, HfStageEventFunc handle,
                    gpointer data)
{
    g_rec_mutex_lock(&link->handling);
    link->handle = handle;
    link->data = data;
    link->source = g_unix_fd_source_new(link->channel, G_IO_IN | G_IO_HUP | G_IO_ERR);
    g_atomic_ref_count_inc(&link->refs);
    g_source_set_callback(link->source, G_SOURCE_FUNC(on_stage_readable), link, unref_stage_link);
    g_source_attach(link->source, context);
    g_rec_mutex_unlock(&link->handling);
}

/* ---- orders ---- */

static gboolean send_stage_order(HfStageLink *link, json_t *take_message, int descriptor,
                                 GError **error)
{
    g_autoptr(json_t) message = take_message;
    return hf_channel_send(link->channel, message, descriptor, error);
}

gboolean hf_stage_start_hand(HfStageLink *link, int take_descriptor, const char *const *arguments,
                             GError **error)
{
    static const char *const plain[] = {"hand", NULL};
    json_t *list = json_array();
    for (const char *const *text = arguments ? arguments : plain; *text; text++)
        json_array_append_new(list, hf_json_text(*text));
    gboolean sent = send_stage_order(
        link, json_pack("{s:s, s:o}", "type", HF_STAGE_START_HAND, "arguments", list),
        take_descriptor, error);
    close(take_descriptor);
    return sent;
}

gboolean hf_stage_kill_hand(HfStageLink *link, GError **error)
{
    return send_stage_order(link, json_pack("{s:s}", "type", HF_STAGE_KILL_HAND), -1, error);
}

/* ---- the end ---- */

static gboolean wait_for_stage_exit(const HfStageLink *link, int limit_ms)
{
    struct pollfd wait = {link->process, POLLIN, 0};
    int ready;
    do
        ready = poll(&wait, 1, limit_ms);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

void hf_stage_stop(HfStageLink *link)
{
    if (link->pid == 0)
        return;
    send_stage_order(link, json_pack("{s:s}", "type", HF_STAGE_STOP), -1, NULL);
    if (link->process < 0 || !wait_for_stage_exit(link, HF_LIMIT_STAGE_END_MS))
        kill(link->pid, SIGKILL);
    int status = -1;
    while (waitpid(link->pid, &status, 0) < 0 && errno == EINTR)
        ;
    link->pid = 0;
    /* A killed stage leaves something to clean up. */
    if (!WIFEXITED(status) && link->kind == HF_STAGE_VIRTUAL && link->runtime_dir)
        hf_stale_desktops_remove(link->runtime_dir);
}

void hf_stage_free(HfStageLink *link)
{
    if (!link)
        return;
    g_rec_mutex_lock(&link->handling);
    link->handle = NULL;
    g_rec_mutex_unlock(&link->handling);
    hf_stage_stop(link);
    g_rec_mutex_lock(&link->handling);
    if (link->source) {
        g_source_destroy(link->source);
        g_source_unref(link->source);
    }
    g_rec_mutex_unlock(&link->handling);
    unref_stage_link(link);
}
