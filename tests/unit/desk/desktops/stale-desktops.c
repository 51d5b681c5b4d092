/* SPDX-License-Identifier: Apache-2.0 */
/* Clearing away after dead stages, and only after those. A process stands in for a stage by
 * holding the directory, and `sleep` for what runs on a desktop. */
#include "desk/desktops/stale-desktops.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"
#include "shared/wire/desktop-directory.h"
#include "shared/wire/stage-protocol.h"

typedef struct World {
    char *runtime_dir, *base;
} World;

static void set_up(World *world, gconstpointer data)
{
    world->runtime_dir = g_dir_make_tmp("hf-sweep-XXXXXX", NULL);
    world->base = hf_desktop_directory_dup_base(world->runtime_dir, NULL);
    g_assert_nonnull(world->base);
}

static void tear_down(World *world, gconstpointer data)
{
    g_assert_true(hf_remove_tree(world->runtime_dir));
    g_free(world->runtime_dir);
    g_free(world->base);
}

/* Holds a desktop until it is killed. */
static pid_t start_stage(const World *world, const char *name, const char *id)
{
    int ready[2];
    char byte = 0;
    g_assert_cmpint(pipe(ready), ==, 0);
    pid_t pid = fork();
    if (pid == 0) {
        HfDesktopDirectory place;
        gboolean made = hf_desktop_directory_create(world->runtime_dir, name, id, &place, NULL);
        if (write(ready[1], made ? "y" : "n", 1) != 1 || !made)
            _exit(1);
        for (;;)
            pause();
    }
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    g_assert_cmpint(byte, ==, 'y');
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static pid_t start_program(const char *directory, const char *id)
{
    g_autofree char *mark = g_strconcat(HF_MARK_ID "=", id, NULL);
    g_autofree char *place = g_strconcat(HF_MARK_DIRECTORY "=", directory, NULL);
    int closes_on_exec[2];
    char byte;
    g_assert_cmpint(pipe2(closes_on_exec, O_CLOEXEC), ==, 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *const arguments[] = {"sleep", "1000", NULL};
        char *const environment[] = {mark, place, NULL};
        execve("/bin/sleep", arguments, environment);
        _exit(1);
    }
    close(closes_on_exec[1]);
    g_assert_cmpint(read(closes_on_exec[0], &byte, 1), ==, 0);
    close(closes_on_exec[0]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void assert_ended(pid_t pid)
{
    g_assert_cmpint(waitpid(pid, NULL, WNOHANG), ==, pid);
}

static void assert_lives(pid_t pid)
{
    g_assert_cmpint(waitpid(pid, NULL, WNOHANG), ==, 0);
}

static void test_nothing(World *world, gconstpointer data)
{
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 0);
    g_assert_cmpuint(hf_stale_desktops_remove("/proc/nonexistent"), ==, 0);
}

static void test_dead_stage(World *world, gconstpointer data)
{
    g_autofree char *path = g_build_filename(world->base, "v1", NULL);
    pid_t stage = start_stage(world, "v1", "one");
    pid_t program = start_program(path, "one");
    end(stage);
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 2);
    assert_ended(program);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 0);
}

static void test_living_stage(World *world, gconstpointer data)
{
    g_autofree char *path = g_build_filename(world->base, "v1", NULL);
    pid_t stage = start_stage(world, "v1", "one");
    pid_t program = start_program(path, "one");
    pid_t earlier = start_program(path, "another desktop of that name");
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 1);
    assert_lives(program);
    assert_ended(earlier);
    g_assert_true(g_file_test(path, G_FILE_TEST_IS_DIR));
    end(program);
    end(stage);
}

/* A mark alone is enough where the directory is gone already. */
static void test_lost_program(World *world, gconstpointer data)
{
    g_autofree char *path = g_build_filename(world->base, "gone", NULL);
    pid_t program = start_program(path, "one");
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 1);
    assert_ended(program);
}

static void test_others(World *world, gconstpointer data)
{
    g_autofree char *inner = g_build_filename(world->base, "v1/desktops/v1", NULL);
    g_autofree char *beside = g_strconcat(world->base, "x/v1", NULL);
    const char *const directories[] = {inner, beside, "/elsewhere/desktops/v1", world->base, ""};
    pid_t programs[G_N_ELEMENTS(directories)];
    for (gsize i = 0; i < G_N_ELEMENTS(directories); i++)
        programs[i] = start_program(directories[i], "one");
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(directories); i++) {
        assert_lives(programs[i]);
        end(programs[i]);
    }
}

/* What a desktop's home points at is not the desktop's. */
static void test_links(World *world, gconstpointer data)
{
    g_autofree char *path = g_build_filename(world->base, "v1", NULL);
    g_autofree char *outside = g_build_filename(world->runtime_dir, "outside", NULL);
    g_autofree char *precious = g_build_filename(outside, "precious", NULL);
    g_autofree char *link = g_build_filename(path, "link", NULL);
    g_autofree char *base_link = g_build_filename(world->base, "v2", NULL);
    g_assert_cmpint(g_mkdir(outside, 0700), ==, 0);
    g_assert_true(g_file_set_contents(precious, "x", 1, NULL));
    end(start_stage(world, "v1", "one"));
    g_assert_cmpint(symlink(outside, link), ==, 0);
    g_assert_cmpint(symlink(outside, base_link), ==, 0);
    g_assert_cmpuint(hf_stale_desktops_remove(world->runtime_dir), ==, 1);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_assert_true(g_file_test(precious, G_FILE_TEST_EXISTS));
}

static void test_conflict(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfDesktopDirectory place;
    pid_t stage = start_stage(world, "v1", "one");
    gint64 begun = g_get_monotonic_time();
    g_assert_false(hf_desktop_directory_create(world->runtime_dir, "v1", "two", &place, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
    g_assert_cmpint(g_get_monotonic_time() - begun, <, G_USEC_PER_SEC);
    end(stage);
    g_clear_error(&error);
    g_assert_true(hf_desktop_directory_create(world->runtime_dir, "v1", "two", &place, &error));
    hf_desktop_directory_clear(&place);
}

static gpointer end_soon(gpointer pid)
{
    g_usleep(50 * 1000);
    kill(GPOINTER_TO_INT(pid), SIGKILL);
    return NULL;
}

/* A stage that has lost its desk is about to end: its name is waited for. */
static void test_ending_stage(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfDesktopDirectory place;
    int pids[2];
    pid_t stage = 0;
    g_assert_cmpint(pipe(pids), ==, 0);
    pid_t desk = fork();
    if (desk == 0) {
        stage = start_stage(world, "v1", "one");
        _exit(write(pids[1], &stage, sizeof stage) != sizeof stage);
    }
    g_assert_cmpint(read(pids[0], &stage, sizeof stage), ==, sizeof stage);
    close(pids[0]);
    close(pids[1]);
    waitpid(desk, NULL, 0);
    GThread *thread = g_thread_new("end", end_soon, GINT_TO_POINTER(stage));
    g_assert_true(hf_desktop_directory_create(world->runtime_dir, "v1", "two", &place, &error));
    g_thread_join(thread);
    hf_desktop_directory_clear(&place);
}

static void test_foreign_base(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfDesktopDirectory place;
    g_assert_cmpint(chmod(world->base, 0755), ==, 0);
    g_assert_false(hf_desktop_directory_create(world->runtime_dir, "v1", "one", &place, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_cmpint(chmod(world->base, 0700), ==, 0);
    g_clear_error(&error);
    g_autofree char *longest = g_strnfill(64, 'n');
    g_autofree char *deep = g_build_filename(world->runtime_dir, longest, NULL);
    g_assert_cmpint(g_mkdir(deep, 0700), ==, 0);
    g_assert_false(hf_desktop_directory_create(deep, longest, "one", &place, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add("/sweep/" #name, World, NULL, set_up, test_##name, tear_down)
    TEST(nothing);
    TEST(dead_stage);
    TEST(living_stage);
    TEST(lost_program);
    TEST(others);
    TEST(links);
    TEST(conflict);
    TEST(ending_stage);
    TEST(foreign_base);
    return g_test_run();
}
