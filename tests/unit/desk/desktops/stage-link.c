/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's end of a stage, on real desktops of its own. */
#include "desk/desktops/stage-link.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"

typedef struct World {
    char *runtime_dir;
    HfDeadline deadline;
    GMainLoop *loop;
    HfStageEventKind awaited;
    HfStageEvent event; /* `which` is not kept */
    char *which;
    GArray *seen; /* HfStageEventKind */
} World;

static const char *program(void)
{
    const char *path = g_getenv("HANDFAST");
    g_assert_nonnull(path);
    return path;
}

static void set_up(World *world, gconstpointer data)
{
    *world = (World){.runtime_dir = g_dir_make_tmp("hf-XXXXXX", NULL),
                     .deadline = hf_deadline_in_ms(20000, NULL),
                     .loop = g_main_loop_new(NULL, FALSE),
                     .seen = g_array_new(FALSE, FALSE, sizeof(HfStageEventKind))};
}

static void assert_nothing_left(const World *world)
{
    g_autofree char *base = g_build_filename(world->runtime_dir, "desktops", NULL);
    g_autoptr(GDir) folder = g_dir_open(base, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder)))
        g_assert_cmpstr(name, ==, ".lock");
    g_autoptr(GArray) family = hf_processes_list_family(getpid());
    g_assert_cmpuint(family->len, ==, 0);
}

static void tear_down(World *world, gconstpointer data)
{
    assert_nothing_left(world);
    hf_remove_tree(world->runtime_dir);
    g_free(world->runtime_dir);
    g_free(world->which);
    g_main_loop_unref(world->loop);
    g_array_unref(world->seen);
}

static HfStageLink *start(World *world, const HfStageOptions *wanted)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = *wanted;
    options.runtime_dir = world->runtime_dir;
    HfStageLink *link = hf_stage_start(program(), &options, NULL, &world->deadline, &error);
    g_assert_no_error(error);
    return link;
}

static void on_event(HfStageLink *link, const HfStageEvent *event, gpointer data)
{
    World *world = data;
    g_array_append_val(world->seen, event->kind);
    if (event->kind != world->awaited)
        return;
    world->event = *event;
    g_free(world->which);
    world->which = g_strdup(event->which);
    g_main_loop_quit(world->loop);
}

static gboolean on_time_out(gpointer data)
{
    g_error("the event did not come");
    return G_SOURCE_REMOVE;
}

static void await(World *world, HfStageEventKind kind)
{
    guint alarm = g_timeout_add_seconds(10, on_time_out, NULL);
    world->awaited = kind;
    g_main_loop_run(world->loop);
    g_source_remove(alarm);
    g_assert_cmpint(world->event.kind, ==, kind);
}

static int fact(const HfStageLink *link, const char *key)
{
    return (int)hf_json_int(hf_stage_get_facts(link), key, -1);
}

static int server_pid(const HfStageLink *link, const char *name)
{
    return (int)hf_json_int(json_object_get(hf_stage_get_facts(link), "pids"), name, 0);
}

static void test_ready(World *world, gconstpointer data)
{
    HfStageOptions options = {.name = "v1", .width = 800, .height = 600, .scale = 1.25};
    g_autoptr(HfStageLink) link = start(world, &options);
    g_assert_cmpint(fact(link, "width"), ==, 800);
    g_assert_cmpint(fact(link, "height"), ==, 600);
    g_assert_cmpint(fact(link, "depth"), ==, 24);
    g_assert_cmpint(fact(link, "took_ms"), >=, 0);
    g_assert_cmpint(server_pid(link, "stage"), ==, hf_stage_get_pid(link));
    const json_t *environment = hf_stage_get_environment(link);
    g_assert_cmpstr(hf_json_string(environment, "DISPLAY", ""), ==, hf_stage_get_display(link));
    g_assert_cmpstr(hf_json_string(environment, HF_MARK_ID, ""), ==, hf_stage_get_id(link));
    g_assert_cmpstr(hf_json_string(environment, "QT_SCALE_FACTOR", ""), ==, "1.25");

    g_setenv("XAUTHORITY", "/dev/null", TRUE);
    xcb_connection_t *stranger = xcb_connect(hf_stage_get_display(link), NULL);
    g_assert_cmpint(xcb_connection_has_error(stranger), !=, 0);
    xcb_disconnect(stranger);
    g_setenv("XAUTHORITY", hf_json_string(environment, "XAUTHORITY", ""), TRUE);
    xcb_connection_t *friend = xcb_connect(hf_stage_get_display(link), NULL);
    g_assert_cmpint(xcb_connection_has_error(friend), ==, 0);
    xcb_get_property_reply_t *resources = xcb_get_property_reply(
        friend,
        xcb_get_property(friend, 0, xcb_setup_roots_iterator(xcb_get_setup(friend)).data->root,
                         XCB_ATOM_RESOURCE_MANAGER, XCB_ATOM_STRING, 0, 256),
        NULL);
    g_autofree char *text = g_strndup(xcb_get_property_value(resources),
                                      (gsize)xcb_get_property_value_length(resources));
    g_assert_cmpstr(text, ==, "Xft.dpi:\t120\nXcursor.size:\t30\n");
    free(resources);
    xcb_disconnect(friend);
}

static void test_hand(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = {.name = "v1"};
    g_autoptr(HfStageLink) link = start(world, &options);
    hf_stage_watch(link, NULL, on_event, world);
    int ends[2];
    g_assert_true(hf_channel_pair(ends, &error));
    /* A stage of its own waits for orders on its descriptor 3: as good as a hand. */
    const char *const arguments[] = {"stage", "inner", NULL};
    g_assert_true(hf_stage_start_hand(link, ends[1], arguments, &error));
    await(world, HF_STAGE_EVENT_HAND_STARTED);
    pid_t hand = world->event.pid;
    g_autofree char *display = NULL;
    while (!(display = hf_process_dup_variable(hand, "DISPLAY")))
        ;
    g_assert_cmpstr(display, ==, hf_stage_get_display(link));
    g_assert_true(hf_stage_kill_hand(link, &error));
    await(world, HF_STAGE_EVENT_HAND_EXITED);
    g_assert_cmpint(world->event.pid, ==, hand);
    g_assert_true(WIFSIGNALED(world->event.status));
    g_assert_cmpint(WTERMSIG(world->event.status), ==, SIGKILL);
    close(ends[0]);

    /* One that closes its end ends by itself; its status is told. */
    g_assert_true(hf_channel_pair(ends, &error));
    g_assert_true(hf_stage_start_hand(link, ends[1], arguments, &error));
    close(ends[0]);
    await(world, HF_STAGE_EVENT_HAND_EXITED);
    g_assert_true(WIFEXITED(world->event.status));
    g_assert_cmpint(WEXITSTATUS(world->event.status), ==, 1);
}

static void test_x_server_dies(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = {.name = "v1", .own_home = TRUE};
    HfStageLink *link = start(world, &options);
    hf_stage_watch(link, NULL, on_event, world);
    kill(server_pid(link, "x-server"), SIGKILL);
    await(world, HF_STAGE_EVENT_SERVER_DIED);
    g_assert_cmpstr(world->which, ==, "x-server");
    g_assert_false(world->event.restarting);
    await(world, HF_STAGE_EVENT_GONE);
    g_assert_false(hf_stage_kill_hand(link, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    hf_stage_free(link);
}

static void test_manager_restarts(World *world, gconstpointer data)
{
    HfStageOptions options = {.name = "v1"};
    g_autoptr(HfStageLink) link = start(world, &options);
    hf_stage_watch(link, NULL, on_event, world);
    kill(server_pid(link, "window-manager"), SIGKILL);
    await(world, HF_STAGE_EVENT_SERVER_DIED);
    g_assert_cmpstr(world->which, ==, "window-manager");
    g_assert_true(world->event.restarting);
}

static void test_stage_killed(World *world, gconstpointer data)
{
    HfStageOptions options = {.name = "v1", .own_home = TRUE};
    HfStageLink *link = start(world, &options);
    hf_stage_watch(link, NULL, on_event, world);
    g_autoptr(GArray) servers = hf_processes_list_family(hf_stage_get_pid(link));
    g_assert_cmpuint(servers->len, >=, 3);
    kill(hf_stage_get_pid(link), SIGKILL);
    await(world, HF_STAGE_EVENT_GONE);
    hf_stage_free(link);
    /* Signal 0: only to wait for those that are on their way out. */
    g_assert_true(hf_processes_end(servers, 0, 1000));
}

static void free_at_once(HfStageLink *link, const HfStageEvent *event, gpointer data)
{
    World *world = data;
    g_array_append_val(world->seen, event->kind);
    hf_stage_free(link);
}

static void only_note(HfStageLink *link, const HfStageEvent *event, gpointer data)
{
    World *world = data;
    g_array_append_val(world->seen, event->kind);
}

static gpointer run_loop(gpointer loop)
{
    g_main_loop_run(loop);
    return NULL;
}

static gboolean quit_loop(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

/* Events come to one thread while another ends the desktop. */
static void test_freed_elsewhere(World *world, gconstpointer data)
{
    HfStageOptions options = {.name = "v1"};
    GThread *thread = g_thread_new("loop", run_loop, world->loop);
    for (int i = 0; i < 4; i++) {
        HfStageLink *link = start(world, &options);
        hf_stage_watch(link, NULL, i % 2 == 0 ? only_note : free_at_once, world);
        kill(server_pid(link, i < 2 ? "x-server" : "stage"), SIGKILL);
        if (i % 2 == 0)
            hf_stage_free(link);
    }
    /* Those that free themselves have done so when all that was started is gone. */
    g_autoptr(GArray) family = NULL;
    do
        g_clear_pointer(&family, g_array_unref);
    while ((family = hf_processes_list_family(getpid()))->len > 0);
    g_idle_add_full(G_PRIORITY_LOW, quit_loop, world->loop, NULL);
    g_thread_join(thread);
    g_autofree char *base = g_build_filename(world->runtime_dir, "desktops/v1", NULL);
    g_assert_false(g_file_test(base, G_FILE_TEST_EXISTS));
}

static void test_failures(World *world, gconstpointer data)
{
    const struct {
        const char *name, *path, *runtime_dir, *display;
        HfErrorCode code;
        const char *step;
    } cases[] = {
        {"no/name", NULL, NULL, NULL, HF_ERROR_INVALID_PARAMS, "options"},
        {"v1", NULL, "/proc/nonexistent", NULL, HF_ERROR_STORAGE_FAILED, "directory"},
        {"v1", "/proc/nonexistent", NULL, NULL, HF_ERROR_PRECONDITION_FAILED, "x-server"},
        {"v1", NULL, NULL, ":65000", HF_ERROR_DESKTOP_UNAVAILABLE, "display"},
    };
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        HfStageOptions options = {.kind = cases[i].display ? HF_STAGE_ATTACHED : HF_STAGE_VIRTUAL,
                                  .name = cases[i].name,
                                  .display = cases[i].display,
                                  .runtime_dir = cases[i].runtime_dir ? cases[i].runtime_dir
                                                                      : world->runtime_dir};
        g_setenv("PATH", cases[i].path ? cases[i].path : path, TRUE);
        g_assert_null(hf_stage_start(program(), &options, NULL, &world->deadline, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "step", ""), ==,
                        cases[i].step);
        if (cases[i].path)
            g_assert_nonnull(strstr(hf_json_string(wire, "suggestion", ""), "apt install xvfb"));
        assert_nothing_left(world);
    }
    g_setenv("PATH", path, TRUE);
}

static void test_no_program(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = {.name = "v1", .runtime_dir = world->runtime_dir};
    g_assert_null(hf_stage_start("/proc/nonexistent", &options, NULL, &world->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INTERNAL);
}

static gpointer cancel_soon(gpointer cancellable)
{
    g_usleep(20 * 1000);
    g_cancellable_cancel(cancellable);
    return NULL;
}

static void test_cancelled(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    HfStageOptions options = {.name = "v1", .runtime_dir = world->runtime_dir};
    HfDeadline deadline = hf_deadline_in_ms(20000, cancellable);
    GThread *thread = g_thread_new("cancel", cancel_soon, cancellable);
    HfStageLink *link = hf_stage_start(program(), &options, NULL, &deadline, &error);
    g_thread_join(thread);
    if (!link)
        g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    hf_stage_free(link);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add("/stage-link/" #name, World, NULL, set_up, test_##name, tear_down)
    TEST(ready);
    TEST(hand);
    TEST(x_server_dies);
    TEST(manager_restarts);
    TEST(stage_killed);
    TEST(freed_elsewhere);
    TEST(failures);
    TEST(no_program);
    TEST(cancelled);
    return g_test_run();
}
