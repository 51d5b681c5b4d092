/* SPDX-License-Identifier: Apache-2.0 */
/* Which directories a hand gets: those of the owner, as they are now; none that a program could
 * have put there, none of the system's and none of ours. */
#include "desk/desktops/allowed-directories.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/remove-tree.h"
#include "shared/wire/wire-limits.h"

static char *base; /* has one/inner, two, and what links lead to */

static char *at(const char *path)
{
    return g_build_filename(base, path, NULL);
}

static void make_directory(const char *path)
{
    g_autofree char *full = at(path);
    g_assert_cmpint(g_mkdir_with_parents(full, 0700), ==, 0);
}

static void link_to(const char *path, const char *target)
{
    g_autofree char *full = at(path);
    g_assert_cmpint(symlink(target, full), ==, 0);
}

/* The entry for one path, with ~/one allowed too and ~/build writable for programs. */
static json_t *entry_of(const char *path, HfFrame *frame)
{
    g_autofree char *one = at("one"), *build = at("build");
    g_autofree char *full = path[0] == '@' ? at(path + 1) : g_strdup(path);
    g_autoptr(json_t) walls =
        json_pack("{s:[[s, s]], s:[s]}", "directories", one, full, "writable", build);
    g_autoptr(json_t) opened = hf_allowed_directories_open(walls, frame, NULL);
    g_assert_cmpuint(json_array_size(opened), ==, 1);
    return json_incref(json_array_get(json_array_get(opened, 0), 1));
}

static const struct {
    const char *path; /* @: in the base */
    const char *real; /* NULL: not handed over */
    gboolean systems;
} cases[] = {
    {"@two", "two", FALSE},
    {"@two/../two/", "two", FALSE},
    {"@one/inner", "one/inner", FALSE},
    {"@by-link", "two", FALSE},
    {"@missing", NULL, FALSE},
    {"@file", NULL, FALSE},
    {"@one/planted", NULL, FALSE}, /* programs may write where this link is */
    {"@one/planted/below", NULL, FALSE},
    {"@by-planted", NULL, FALSE},
    {"@build/planted", NULL, FALSE},
    {"@data/handfast", NULL, FALSE},
    {"@data/handfast/desktops", NULL, FALSE},
    {"@run/handfast", NULL, FALSE},
    {"@config/handfast", NULL, FALSE},
    {"@data", "data", FALSE}, /* what is ours in it is denied by the hand */
    {"@to-proc", NULL, TRUE},
    {"/", NULL, TRUE},
    {"/etc", NULL, TRUE},
    {"/proc/self", NULL, TRUE},
    {"/dev/shm", NULL, TRUE},
};

static void test_which(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfFrame) frame = hf_frame_new(json_object());
        g_autoptr(json_t) entry = entry_of(cases[i].path, frame);
        g_autofree char *real = cases[i].real ? at(cases[i].real) : NULL;
        g_test_message("%s", cases[i].path);
        g_assert_cmpstr(hf_json_string(entry, "real", NULL), ==, real);
        g_assert_true(json_is_null(entry) == cases[i].systems);
        g_assert_true(json_is_false(entry) == (!real && !cases[i].systems));
        if (!real)
            continue;
        struct stat handed, there;
        guint place = (guint)hf_json_int(entry, "fd", -1);
        g_assert_cmpuint(place, <, frame->fds->len);
        g_assert_cmpint(fstat(g_array_index(frame->fds, int, place), &handed), ==, 0);
        g_assert_cmpint(stat(real, &there), ==, 0);
        g_assert_true(handed.st_ino == there.st_ino && handed.st_dev == there.st_dev);
    }
}

/* The same directory goes along once, whatever it is called. */
static void test_once(void)
{
    g_autoptr(HfFrame) frame = hf_frame_new(json_object());
    g_autofree char *two = at("two"), *link = at("by-link");
    g_autoptr(json_t) walls = json_pack("{s:[[s], [s, s]]}", "directories", two, link, two);
    g_autoptr(json_t) opened = hf_allowed_directories_open(walls, frame, NULL);
    g_assert_cmpuint(json_array_size(opened), ==, 2);
    g_assert_cmpuint(frame->fds->len, ==, 1);
}

static void test_too_many(void)
{
    g_autoptr(HfFrame) frame = hf_frame_new(json_object());
    g_autoptr(json_t) walls = json_pack("{s:[[]]}", "directories");
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i <= HF_LIMIT_FRAME_FDS; i++) {
        g_autofree char *name = g_strdup_printf("many/%u", i), *full = at(name);
        make_directory(name);
        json_array_append_new(json_array_get(json_object_get(walls, "directories"), 0),
                              json_string(full));
    }
    g_assert_null(hf_allowed_directories_open(walls, frame, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

static void set_up_base(void)
{
    static const char *const folders[] = {
        "one/inner",       "two", "build", "secret/below", "run/handfast", "data/handfast/desktops",
        "config/handfast", NULL};
    base = g_dir_make_tmp("hf-allowed-XXXXXX", NULL);
    for (const char *const *folder = folders; *folder; folder++)
        make_directory(*folder);
    g_autofree char *file = at("file"), *run = at("run"), *data = at("data"),
                    *config = at("config");
    g_assert_true(g_file_set_contents(file, "x", 1, NULL));
    link_to("by-link", "two");
    link_to("one/planted", "../secret");
    link_to("by-planted", "one/planted");
    link_to("build/planted", "../secret");
    link_to("to-proc", "/proc/self");
    g_setenv("XDG_RUNTIME_DIR", run, TRUE);
    g_setenv("XDG_DATA_HOME", data, TRUE);
    g_setenv("XDG_CONFIG_HOME", config, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    set_up_base();
    g_test_add_func("/allowed-directories/which", test_which);
    g_test_add_func("/allowed-directories/once", test_once);
    g_test_add_func("/allowed-directories/too-many", test_too_many);
    int status = g_test_run();
    hf_remove_tree(base);
    g_free(base);
    return status;
}
