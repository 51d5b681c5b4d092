/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a stage, sends orders and receives events. The channel ties its life to ours: when this
 * process ends, however that happens, the channel closes and the stage ends its desktop. A
 * parent-death signal would not work: it fires when the forking thread ends. In a container, our
 * child is bubblewrap, which waits for the stage; the stage is the first process inside. */
#include "desk/desktops/stage-link.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desk/desktops/adopted-processes.h"
#include "desk/desktops/child-process.h"
#include "desk/desktops/desktops-limits.h"
#include "desk/desktops/stale-desktops.h"
#include "desk/policy/identity/agent-mark.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"
#include "shared/wire/desktop-directory.h"

struct HfStageLink {
    gatomicrefcount refs; /* of the owner and of the event source */
    pid_t pid;            /* our child; 0 once reaped */
    int process;          /* its pidfd: readable when it ends */
    gboolean contained;
    pid_t init;               /* contained: the stage */
    pid_t network;            /* what connects the container; 0: nothing */
    int network_exit;         /* closing it ends that */
    int network_ready;        /* it reports there once */
    char *network_problem;    /* NULL: none */
    int listener;             /* for the proxy; -1: none */
    HfDesktopDirectory place; /* of a virtual desktop */
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

static char **new_container_command(const HfStageLink *link, const char *program,
                                    const HfContainer *container)
{
    g_autofree char *real = hf_path_dup_real(program);
    g_autoptr(GPtrArray) command =
        hf_container_new_command(container, link->place.path, real, HF_INHERITED_LOCK + 1);
    const char *const rest[] = {real, "stage", link->name};
    for (gsize i = 0; i < G_N_ELEMENTS(rest); i++)
        g_ptr_array_add(command, g_strdup(rest[i]));
    g_ptr_array_add(command, NULL);
    return (char **)g_ptr_array_steal(command, NULL);
}

static int spawn_contained(HfStageLink *link, const char *program, const HfContainer *container,
                           int channel)
{
    HfContainerPipes pipes;
    if (!hf_container_pipes_open(&pipes))
        return errno;
    /* Channel, lock, and the descriptors of bubblewrap (HfContainerPipes). */
    const int descriptors[HF_MOST_PASSED] = {channel, link->place.lock, pipes.info[1], pipes.go[0],
                                             pipes.filter};
    g_auto(GStrv) command = new_container_command(link, program, container);
    g_auto(GStrv) environment =
        g_environ_setenv(hf_container_dup_environment(container), HF_MARK_STAGE, link->id, TRUE);
    int reason = hf_child_process_spawn(command, environment, descriptors, &link->pid);
    link->init = hf_container_pipes_finish(&pipes);
    return reason;
}

static int spawn_stage(HfStageLink *link, const char *program, int channel)
{
    char *command[] = {(char *)program, "stage", link->name, NULL};
    const int descriptors[HF_MOST_PASSED] = {channel, link->place.lock, -1, -1, -1};
    g_auto(GStrv) marked = g_environ_setenv(g_get_environ(), HF_MARK_STAGE, link->id, TRUE);
    int reason = hf_child_process_spawn(command, marked, descriptors, &link->pid);
    link->init = link->pid;
    return reason;
}

/* The desktop can be used without; the description says why there is none. Not before the stage
 * runs: bubblewrap sets up the loopback device first, and fails if it finds it done. */
static void connect_container(HfStageLink *link, const HfContainer *container)
{
    g_autoptr(GError) error = NULL;
    int ends[2];
    if (!g_str_equal(container->network, "open") || link->init == 0)
        return;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        link->network_problem = g_strdup(g_strerror(errno));
        return;
    }
    hf_adopted_processes_lock();
    link->network = hf_container_connect(link->init, ends[0], &link->network_ready, &error);
    hf_adopted_processes_unlock(link->network);
    close(ends[0]);
    link->network_exit = ends[1];
    link->network_problem = error ? g_strdup(error->message) : NULL;
}

static gboolean start_stage_process(HfStageLink *link, const char *program,
                                    const HfContainer *container, GError **error)
{
    int ends[2];
    if (!hf_channel_pair(ends, error))
        return FALSE;
    program = program ? program : "/proc/self/exe";
    hf_adopted_processes_lock();
    int reason = container ? spawn_contained(link, program, container, ends[1])
                           : spawn_stage(link, program, ends[1]);
    hf_adopted_processes_unlock(reason == 0 ? link->pid : 0);
    close(ends[1]);
    link->channel = ends[0];
    link->contained = container != NULL;
    if (reason != 0) {
        link->pid = 0;
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot start the stage of desktop '%s': %s",
                       link->name, g_strerror(reason));
    }
    /* Our child is not reaped yet, so the pid is still its own. */
    link->process = pidfd_open(link->pid, 0);
    if (link->kind == HF_STAGE_VIRTUAL && link->init > 0)
        hf_agent_mark_set_virtual(link->init);
    /* From now on the stage holds the lock. */
    if (link->place.lock >= 0) {
        hf_desktop_directory_set_stage(&link->place, link->pid);
        close(link->place.lock);
        link->place.lock = -1;
    }
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
    g_autoptr(GError) reason = NULL;
    g_autoptr(json_t) message = hf_channel_receive(link->channel, &link->listener, &reason);
    if (!message && link->contained) {
        hf_fail(error, HF_ERROR_INTERNAL,
                "bubblewrap could not build the container of desktop '%s'", link->name);
        hf_error_suggest(error, "see its message in the output of handfast serve, and "
                                "handfast doctor; without containers: handfast config set "
                                "container.enabled false");
    } else if (!message) {
        g_propagate_error(error, g_steal_pointer(&reason));
    }
    if (!message)
        return FALSE;
    if (g_str_equal(hf_json_string(message, "type", ""), HF_STAGE_READY)) {
        link->facts = g_steal_pointer(&message);
        return TRUE;
    }
    take_failure(link, message, error);
    return FALSE;
}

/* The stage checks the options, too; but their names become paths here. */
static gboolean prepare_place(HfStageLink *link, const HfStageOptions *options, gboolean contained,
                              GError **error)
{
    HfStageOptions checked;
    g_autoptr(GError) reason = NULL;
    const char *step = "options";
    g_autoptr(json_t) opening = hf_stage_options_to_json(options);
    if (!opening)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the options of a desktop must be valid UTF-8");
    gboolean ready = hf_stage_options_from_json(opening, &checked, &reason);
    if (ready && options->kind == HF_STAGE_VIRTUAL) {
        step = "directory";
        ready = hf_desktop_directory_create(options->runtime_dir, options->name, link->id,
                                            &link->place, &reason) &&
                (!contained || hf_desktop_directory_link_display(&link->place, &reason));
    }
    if (ready)
        return TRUE;
    g_autoptr(json_t) message =
        json_pack("{s:s, s:o}", "step", step, "error", hf_error_to_json(reason));
    take_failure(link, message, error);
    return FALSE;
}

static gboolean open_desktop(HfStageLink *link, const HfStageOptions *options, GError **error)
{
    HfStageOptions complete = *options;
    complete.id = link->id;
    complete.directory = link->place.path;
    complete.display_number = link->contained ? link->place.display : 0;
    g_autoptr(json_t) opening = hf_stage_options_to_json(&complete);
    return hf_channel_send(link->channel, opening, -1, error);
}

static HfStageLink *new_stage_link(const HfStageOptions *options)
{
    HfStageLink *link = g_new0(HfStageLink, 1);
    g_atomic_ref_count_init(&link->refs);
    g_rec_mutex_init(&link->handling);
    link->process = link->channel = link->network_exit = link->network_ready = -1;
    link->listener = -1;
    link->place.lock = -1;
    link->kind = options->kind;
    link->name = g_strdup(options->name ? options->name : "");
    link->id = options->id ? g_strdup(options->id) : make_id();
    link->runtime_dir = g_strdup(options->runtime_dir);
    return link;
}

HfStageLink *hf_stage_start(const char *program, const HfStageOptions *options,
                            const HfContainer *container, const HfDeadline *deadline,
                            GError **error)
{
    g_autoptr(HfStageLink) link = new_stage_link(options);
    HfStageOptions named = *options;
    named.id = link->id;
    if (!prepare_place(link, &named, container != NULL, error) ||
        !start_stage_process(link, program, container, error) ||
        !open_desktop(link, &named, error) || !wait_until_ready(link, deadline, error))
        return NULL;
    if (container)
        connect_container(link, container);
    if (link->network_ready >= 0)
        link->network_problem =
            hf_container_dup_network_problem(link->network_ready, HF_LIMIT_NETWORK_START_MS);
    return g_steal_pointer(&link);
}

/* ---- facts ---- */

const char *hf_stage_get_id(const HfStageLink *link)
{
    return link->id;
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
    return link->pid != 0 ? link->init : 0;
}

pid_t hf_stage_find_process(const HfStageLink *link, pid_t pid)
{
    return link->contained ? hf_process_find_inner(link->init, pid) : pid;
}

const char *hf_stage_get_network_problem(const HfStageLink *link)
{
    return link->network_problem;
}

int hf_stage_steal_listener(HfStageLink *link)
{
    int listener = link->listener;
    link->listener = -1;
    return listener;
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
    if (link->listener >= 0)
        close(link->listener);
    g_rec_mutex_clear(&link->handling);
    json_decref(link->facts);
    hf_desktop_directory_clear(&link->place);
    g_free(link->network_problem);
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

gboolean hf_stage_freeze(HfStageLink *link, gboolean frozen, guint *ret_running)
{
    int answer[2];
    guint32 running = 0;
    int limit_ms =
        link->kind == HF_STAGE_VIRTUAL ? HF_LIMIT_STAGE_FREEZE_MS : HF_LIMIT_OWN_FREEZE_MS;
    if (pipe2(answer, O_CLOEXEC) < 0)
        return FALSE;
    gboolean sent = send_stage_order(
        link, json_pack("{s:s, s:b}", "type", HF_STAGE_FREEZE, "frozen", frozen), answer[1], NULL);
    close(answer[1]);
    struct pollfd wait = {answer[0], POLLIN, 0};
    gboolean answered = sent && poll(&wait, 1, limit_ms) > 0 &&
                        read(answer[0], &running, sizeof running) == sizeof running;
    close(answer[0]);
    *ret_running = running;
    return answered;
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

static void close_if_open(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* The first process of a container ends all others with it. */
void hf_stage_kill(const HfStageLink *link)
{
    if (link->pid == 0)
        return;
    if (link->contained && link->init > 0)
        kill(link->init, SIGKILL);
    kill(link->pid, SIGKILL);
}

static void wait_for_child(pid_t pid, int *ret_status)
{
    while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
        ;
}

static void disconnect_container(HfStageLink *link)
{
    close_if_open(&link->network_exit);
    close_if_open(&link->network_ready);
    if (link->network == 0)
        return;
    kill(link->network, SIGKILL);
    wait_for_child(link->network, NULL);
    hf_adopted_processes_forget(link->network);
    link->network = 0;
}

void hf_stage_stop(HfStageLink *link)
{
    if (link->pid == 0)
        return;
    send_stage_order(link, json_pack("{s:s}", "type", HF_STAGE_STOP), -1, NULL);
    if (link->process < 0 || !wait_for_stage_exit(link, HF_LIMIT_STAGE_END_MS))
        hf_stage_kill(link);
    int status = -1;
    wait_for_child(link->pid, &status);
    hf_adopted_processes_forget(link->pid);
    link->pid = 0;
    disconnect_container(link);
    hf_desktop_directory_remove_ended(&link->place);
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
