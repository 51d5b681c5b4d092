/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a virtual desktop: who holds it, who takes it over, and what is left of it. */
#include "shared/wire/desktop-directory.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

#define X_SOCKETS "/tmp/.X11-unix"

typedef struct World {
    char *runtime_dir;
    HfDesktopDirectory place;
} World;

static void set_up(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    world->runtime_dir = g_dir_make_tmp("hf-place-XXXXXX", NULL);
    hf_desktop_directory_create(world->runtime_dir, "v1", "one", &world->place, &error);
    g_assert_no_error(error);
}

static void tear_down(World *world, gconstpointer data)
{
    hf_desktop_directory_clear(&world->place);
    g_assert_true(hf_remove_tree(world->runtime_dir));
    g_free(world->runtime_dir);
}

/* How many links lead into the directory of a world. */
static guint count_links(const World *world)
{
    g_autoptr(GDir) folder = g_dir_open(X_SOCKETS, 0, NULL);
    g_autofree char *prefix = g_strconcat(world->runtime_dir, "/", NULL);
    const char *name;
    guint count = 0;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *link = g_build_filename(X_SOCKETS, name, NULL);
        g_autofree char *target = g_file_read_link(link, NULL);
        count += target && g_str_has_prefix(target, prefix);
    }
    return count;
}

static void link_display(World *world)
{
    g_autoptr(GError) error = NULL;
    hf_desktop_directory_link_display(&world->place, &error);
    g_assert_no_error(error);
    g_assert_cmpint(world->place.display, >=, 100);
    g_assert_cmpuint(count_links(world), ==, 1);
}

static gboolean is_alive(const World *world)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(world->place.path, &facts);
    gboolean alive = facts.alive;
    hf_desktop_directory_facts_clear(&facts);
    return alive;
}

static void test_one_holder(World *world, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfDesktopDirectory other;
    g_assert_true(is_alive(world));
    g_assert_false(hf_desktop_directory_create(world->runtime_dir, "v1", "two", &other, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_CONFLICT);
}

/* The lock passes with the open file: it holds when the desk closes its own. */
static void test_taken_over_by_the_stage(World *world, gconstpointer data)
{
    int passed = fcntl(world->place.lock, F_DUPFD_CLOEXEC, 3);
    HfDesktopDirectory stage;
    link_display(world);
    hf_desktop_directory_set_stage(&world->place, 4711);
    close(world->place.lock);
    world->place.lock = -1;
    g_assert_true(is_alive(world));
    hf_desktop_directory_adopt(world->place.path, "one", passed, &stage);
    g_assert_cmpint(stage.display, ==, world->place.display);
    g_assert_cmpint(stage.stage, ==, 4711);
    g_assert_cmpint(stage.desk, ==, getpid());
    hf_desktop_directory_clear(&stage);
    g_assert_false(is_alive(world));
}

static void let_go(World *world)
{
    close(world->place.lock);
    world->place.lock = -1;
}

static void test_removed_after_its_end(World *world, gconstpointer data)
{
    link_display(world);
    hf_desktop_directory_remove_ended(&world->place);
    g_assert_true(g_file_test(world->place.path, G_FILE_TEST_IS_DIR)); /* it has not ended */
    g_assert_cmpuint(count_links(world), ==, 1);
    let_go(world);
    hf_desktop_directory_remove_ended(&world->place);
    g_assert_false(g_file_test(world->place.path, G_FILE_TEST_EXISTS));
    g_assert_cmpuint(count_links(world), ==, 0);
}

/* A stage in a container empties its directory, which says then no more whose display it was. */
static void test_link_without_facts(World *world, gconstpointer data)
{
    HfDesktopDirectoryFacts facts;
    link_display(world);
    let_go(world);
    g_assert_true(hf_remove_tree(world->place.path));
    g_assert_cmpint(g_mkdir(world->place.path, 0700), ==, 0);
    hf_desktop_directory_read(world->place.path, &facts);
    g_assert_cmpint(facts.display, ==, -1);
    hf_desktop_directory_remove(world->place.path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    g_assert_cmpuint(count_links(world), ==, 0);
}

static void test_dangling_links(World *world, gconstpointer data)
{
    link_display(world);
    hf_desktop_directory_remove_dangling_links(world->place.base);
    g_assert_cmpuint(count_links(world), ==, 1);
    let_go(world);
    g_assert_true(hf_remove_tree(world->place.path));
    hf_desktop_directory_remove_dangling_links(world->place.base);
    g_assert_cmpuint(count_links(world), ==, 0);
}

/* One desktop's number is not another's, also when the first link was removed by somebody. */
static void test_numbers_differ(World *world, gconstpointer data)
{
    HfDesktopDirectory other;
    link_display(world);
    g_assert_true(hf_desktop_directory_create(world->runtime_dir, "v2", "two", &other, NULL));
    g_assert_true(hf_desktop_directory_link_display(&other, NULL));
    g_assert_cmpint(other.display, !=, world->place.display);
    hf_desktop_directory_clear(&other);
    g_assert_cmpuint(count_links(world), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(NAME, TEST) g_test_add("/desktop-directory/" NAME, World, NULL, set_up, TEST, tear_down)
    ADD("one-holder", test_one_holder);
    ADD("taken-over-by-the-stage", test_taken_over_by_the_stage);
    ADD("removed-after-its-end", test_removed_after_its_end);
    ADD("link-without-facts", test_link_without_facts);
    ADD("dangling-links", test_dangling_links);
    ADD("numbers-differ", test_numbers_differ);
    return g_test_run();
}
