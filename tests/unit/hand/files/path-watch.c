/* SPDX-License-Identifier: Apache-2.0 */
/* Watches: nothing is lost in silence, and a call that is called off ends at once. */
#include "hand/files/path-watch.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "hand/files/files-limits.h"
#include "hand/files/path-watches.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

static char *base;

static HfFileWalls *new_walls(void)
{
    g_autoptr(json_t) json = json_pack("{s:[[s]], s:[s], s:i}", "directories", base, "denied",
                                       "**/denied/**", "max_file_size", 1000);
    return hf_file_walls_open(json, NULL);
}

static HfFileWatch *new_watch(void)
{
    HfFileWalls *walls = new_walls();
    g_autoptr(HfFilePlace) place = hf_file_place_find_existing(walls, base, NULL);
    HfFileWatch *watch = hf_file_watch_new(walls, place, TRUE, NULL);
    g_assert_nonnull(watch);
    return watch;
}

static void touch(const char *name)
{
    g_autofree char *path = g_build_filename(base, name, NULL);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
}

static void setup(void)
{
    base = g_dir_make_tmp("hf-watch-XXXXXX", NULL);
}

static void teardown(void)
{
    hf_remove_tree(base);
    g_clear_pointer(&base, g_free);
}

/* Nobody asks for deletions here: only the loss itself can end the wait. */
static void test_overflow(void)
{
    setup();
    g_autoptr(HfFileWatch) watch = new_watch();
    HfDeadline deadline = hf_deadline_in_ms(30000, NULL);
    g_auto(HfWatchBatch) news = {0};
    for (guint i = 0; i < HF_LIMIT_WATCH_CHANGES + 10; i++) {
        g_autofree char *name = g_strdup_printf("f%u", i);
        touch(name);
    }
    g_assert_true(hf_file_watch_take(watch, HF_WATCH_DELETE, 0, 10, &deadline, &news, NULL));
    g_assert_true(news.overflow);
    g_assert_cmpuint(news.changes->len, ==, 0);
    teardown();
}

/* What the last batch says of a path. */
static HfWatchKind find_kind(const HfWatchBatch *news, const char *name)
{
    g_autofree char *path = g_build_filename(base, name, NULL);
    for (guint i = 0; i < news->changes->len; i++) {
        const HfWatchChange *change = news->changes->pdata[i];
        if (g_strcmp0(change->path, path) == 0)
            return change->kind;
    }
    return 0;
}

/* What was done before the call is in its answer, although the call does not wait: also what the
 * thread of the watch has not read yet. */
static void test_without_waiting(void)
{
    setup();
    g_autofree char *outside = g_dir_make_tmp("hf-watch-XXXXXX", NULL);
    g_autoptr(HfFileWatch) watch = new_watch();
    for (int i = 0; i < 200; i++) {
        g_autofree char *name = g_strdup_printf("f%d", i);
        g_autofree char *from = g_build_filename(base, name, NULL);
        g_autofree char *to = g_build_filename(outside, name, NULL);
        HfDeadline over = hf_deadline_in_ms(0, NULL);
        g_auto(HfWatchBatch) come = {0}, gone = {0};
        touch(name);
        g_assert_true(hf_file_watch_take(watch, HF_WATCH_ALL, 50, 500, &over, &come, NULL));
        g_assert_cmpint(find_kind(&come, name), ==, HF_WATCH_CREATE);
        g_assert_cmpint(g_rename(from, to), ==, 0);
        g_assert_true(hf_file_watch_take(watch, HF_WATCH_ALL, 50, 500, &over, &gone, NULL));
        g_assert_cmpint(find_kind(&gone, name), ==, HF_WATCH_DELETE);
    }
    hf_remove_tree(outside);
    teardown();
}

/* What is denied is neither watched nor told; what appears below is. */
static void test_below(void)
{
    setup();
    g_autofree char *denied = g_build_filename(base, "denied", NULL);
    g_autofree char *sub = g_build_filename(base, "sub", NULL);
    g_mkdir(denied, 0700);
    g_autoptr(HfFileWatch) watch = new_watch();
    HfDeadline deadline = hf_deadline_in_ms(30000, NULL);
    touch("denied/x");
    g_mkdir(sub, 0700);
    gboolean seen = FALSE;
    for (int i = 0; i < 20 && !seen; i++) {
        g_auto(HfWatchBatch) news = {0};
        if (i == 1)
            touch("sub/y");
        g_assert_true(hf_file_watch_take(watch, HF_WATCH_CREATE, 5, 100, &deadline, &news, NULL));
        for (guint j = 0; j < news.changes->len; j++) {
            const HfWatchChange *change = news.changes->pdata[j];
            g_assert_null(g_strrstr(change->path, "denied"));
            seen |= g_str_has_suffix(change->path, "/sub/y");
        }
    }
    g_assert_true(seen);
    g_assert_cmpuint(hf_file_watch_directories(watch), ==, 2);
    teardown();
}

static gpointer cancel_soon(gpointer cancellable)
{
    g_usleep(50000);
    g_cancellable_cancel(cancellable);
    return NULL;
}

static void test_called_off(void)
{
    setup();
    g_autoptr(HfFileWatch) watch = new_watch();
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GError) error = NULL;
    g_auto(HfWatchBatch) news = {0};
    HfDeadline deadline = hf_deadline_in_ms(60000, cancellable);
    gint64 began = g_get_monotonic_time();
    GThread *thread = g_thread_new("cancel", cancel_soon, cancellable);
    g_assert_false(hf_file_watch_take(watch, HF_WATCH_ALL, 0, 10, &deadline, &news, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_DESKTOP_ABORTED);
    g_assert_cmpint(g_get_monotonic_time() - began, <, 20 * G_USEC_PER_SEC);
    g_thread_join(thread);
    teardown();
}

static void test_kept(void)
{
    setup();
    g_autoptr(GError) error = NULL;
    g_autoptr(HfKeptWatch) kept = hf_file_watches_add(new_watch(), "me", NULL);
    g_autoptr(HfKeptWatch) found = hf_file_watches_find(kept->id, "me", NULL);
    g_assert_true(found == kept);
    g_assert_null(hf_file_watches_find(kept->id, "somebody else", &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_PRECONDITION_FAILED);
    for (guint i = 1; i < HF_LIMIT_WATCHES; i++) {
        g_autoptr(HfKeptWatch) another = hf_file_watches_add(new_watch(), "me", NULL);
        g_assert_nonnull(another);
    }
    g_assert_null(hf_file_watches_add(new_watch(), "me", NULL));
    hf_file_watches_end();
    g_assert_null(hf_file_watches_find(kept->id, "me", NULL));
    hf_file_watches_end();
    teardown();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/watch/overflow", test_overflow);
    g_test_add_func("/files/watch/without-waiting", test_without_waiting);
    g_test_add_func("/files/watch/below", test_below);
    g_test_add_func("/files/watch/called-off", test_called_off);
    g_test_add_func("/files/watch/kept", test_kept);
    return g_test_run();
}
