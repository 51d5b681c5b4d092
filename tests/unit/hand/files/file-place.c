/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing outside the walls is ever reached: by no spelling of a path, by no link, and by none that
 * is exchanged in the same moment. HF_LONG=1 exchanges a million times. */
#include "hand/files/file-place.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "hand/files/change/apply-changes.h"
#include "hand/files/change/file-operations.h"
#include "hand/files/change/undo-store.h"
#include "hand/files/secret-files.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

static char *base; /* has in/ (allowed), out/, data/files (kept) */

static char *at(const char *path)
{
    return g_build_filename(base, path, NULL);
}

static void put(const char *path, const char *text)
{
    g_autofree char *full = at(path), *parent = g_path_get_dirname(full);
    g_mkdir_with_parents(parent, 0700);
    g_assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void link_to(const char *path, const char *target)
{
    g_autofree char *full = at(path);
    g_assert_cmpint(symlink(target, full), ==, 0);
}

static void setup(void)
{
    base = g_dir_make_tmp("hf-place-XXXXXX", NULL);
    g_autofree char *out = at("out"), *secret = at("out/secret"), *inside = at("in/sub/deep.txt");
    g_autofree char *keep = at("data/files"), *fifo = at("in/fifo"), *hard = at("in/hard");
    g_autofree char *hard_from = at("out/linked"), *in = at("in");
    put("in/a.txt", "inside");
    put("in/sub/deep.txt", "deep");
    put("in/.env", "TOKEN=abc\n");
    put("in/denied/key", "no");
    put("in/../out/secret", "outside");
    put("out/linked", "outside");
    put("in-not/x", "outside");
    link_to("in/to-out", out);
    link_to("in/to-secret", secret);
    link_to("in/up", "..");
    link_to("in/up-secret", "../out/secret");
    link_to("in/to-deep", "sub/deep.txt");
    link_to("in/abs-deep", inside);
    link_to("in/loop", "loop");
    link_to("in/dangling-out", "../out/new");
    link_to("in/dangling", "sub/new");
    link_to("in/to-denied", "denied/key");
    link_to("in/plain-name", ".env");
    link_to("in/root", "/proc/self/root");
    link_to("in/cwd", "/proc/self/cwd");
    link_to("allowed-by-link", in);
    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    g_assert_cmpint(link(hard_from, hard), ==, 0);
    g_autofree char *data = at("data");
    g_mkdir(data, 0700);
    g_assert_true(hf_undo_store_open(keep, NULL));
}

static HfFileWalls *walls_of(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_autoptr(json_t) json = json_loads(text, 0, NULL);
    HfFileWalls *walls = hf_file_walls_open(json, NULL);
    g_assert_nonnull(walls);
    return walls;
}

static HfFileWalls *plain_walls(void)
{
    return walls_of("{\"directories\": [[\"%s/in\"]], \"denied\": [\"**/denied/**\"], "
                    "\"max_file_size\": 1000000}",
                    base);
}

static const struct {
    const char *path;    /* @ is the base */
    const char *content; /* NULL: refused */
    HfErrorCode code;
} reads[] = {
    {"@/in/a.txt", "inside", 0},
    {"@/in//./a.txt", "inside", 0},
    {"@/in/sub/../a.txt", "inside", 0},
    {"@/out/../in/a.txt", "inside", 0},
    {"@/in/to-deep", "deep", 0},
    {"@/in/abs-deep", "deep", 0},
    {"@/in/plain-name", NULL, HF_ERROR_FORBIDDEN}, /* to what the rules judge by its name */
    {"@/in/.env", "TOKEN=abc\n", 0},
    {"@/out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/../out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/sub/../../out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/../in/../out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in-not/x", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/to-out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/to-secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/up/out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/up-secret", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/dangling-out", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/dangling", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"@/in/root/etc/passwd", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/cwd/x", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/denied/key", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/denied", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/DENIED/key", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/to-denied", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/fifo", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/socket", NULL, HF_ERROR_FORBIDDEN},
    {"@/in/loop", NULL, HF_ERROR_INVALID_PARAMS},
    {"@/in/nothing", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"@/in/a.txt/below", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"@/in/\xef\xbc\x8e\xef\xbc\x8e/out/secret", NULL, HF_ERROR_FILE_NOT_FOUND}, /* ．． */
    {"@/in/\xe2\x80\xa5/out/secret", NULL, HF_ERROR_FILE_NOT_FOUND},             /* ‥ */
    {"@/in/..\\out\\secret", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"@/in/%2e%2e/out/secret", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"@/in/..\xcc\x81/out/secret", NULL, HF_ERROR_FILE_NOT_FOUND},
    {"/proc/self/root@/out/secret", NULL, HF_ERROR_FORBIDDEN},
    {"/proc/self/environ", NULL, HF_ERROR_FORBIDDEN},
    {"/proc/1/cwd/etc/passwd", NULL, HF_ERROR_FORBIDDEN},
    {"/dev/zero", NULL, HF_ERROR_FORBIDDEN},
    {"/etc/passwd", NULL, HF_ERROR_FORBIDDEN},
    {"/", NULL, HF_ERROR_FORBIDDEN},
    {"a.txt", NULL, HF_ERROR_INVALID_PARAMS},
    {"", NULL, HF_ERROR_INVALID_PARAMS},
    {"~nobody/x", NULL, HF_ERROR_INVALID_PARAMS},
};

static char *fill_in(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "@", -1);
    return g_strjoinv(base, parts);
}

static char *read_at(const HfFileWalls *walls, const char *path, GError **error)
{
    g_autoptr(HfFilePlace) place = hf_file_place_find_existing(walls, path, error);
    if (!place || !hf_secret_file_check(place->asked, place->path, FALSE, error))
        return NULL;
    g_autoptr(GBytes) bytes = hf_file_place_read(place, walls->most_bytes, error);
    return bytes ? g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)) : NULL;
}

static void make_socket(void)
{
    g_autofree char *path = at("in/socket");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    g_strlcpy(address.sun_path, path, sizeof address.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    g_assert_cmpint(bind(fd, (struct sockaddr *)&address, sizeof address), ==, 0);
    close(fd);
}

static void test_paths(void)
{
    g_autoptr(HfFileWalls) walls = plain_walls();
    make_socket();
    for (gsize i = 0; i < G_N_ELEMENTS(reads); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = fill_in(reads[i].path);
        g_autofree char *content = read_at(walls, path, &error);
        g_test_message("%s: %s", path, error ? error->message : content);
        g_assert_cmpstr(content, ==, reads[i].content);
        if (!content)
            g_assert_cmpint(hf_error_code(error), ==, reads[i].code);
    }
}

static void test_long_names(void)
{
    g_autoptr(HfFileWalls) walls = plain_walls();
    g_autoptr(GError) error = NULL, other = NULL;
    g_autofree char *name = g_strnfill(300, 'n'), *path = g_strdup_printf("%s/in/%s", base, name);
    g_autofree char *endless = g_strnfill(5000, 'n'),
                    *far = g_strdup_printf("%s/in/%s", base, endless);
    g_assert_null(hf_file_place_find(walls, path, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_INVALID_PARAMS);
    g_assert_null(hf_file_place_find(walls, far, &other));
    g_assert_cmpint(hf_error_code(other), ==, HF_ERROR_INVALID_PARAMS);
}

/* The owner's list and a grant's: what both hold. The agreement may name a directory by a link. */
static void test_lists(void)
{
    g_autoptr(HfFileWalls) walls =
        walls_of("{\"directories\": [[\"%s/allowed-by-link\"], [\"%s/in/sub\", \"%s/out\"]], "
                 "\"max_file_size\": 1000}",
                 base, base, base);
    g_autofree char *deep = at("in/sub/deep.txt"), *by_link = at("allowed-by-link/sub/deep.txt");
    g_autofree char *above = at("in/a.txt"), *beside = at("out/secret");
    g_autoptr(GError) error = NULL;
    g_autofree char *one = read_at(walls, deep, NULL), *two = read_at(walls, by_link, NULL);
    g_assert_cmpstr(one, ==, "deep");
    g_assert_cmpstr(two, ==, "deep");
    g_assert_null(read_at(walls, above, NULL));
    g_assert_null(read_at(walls, beside, &error));
    g_assert_nonnull(strstr(error->message, "allowed-by-link"));
    g_assert_nonnull(strstr(error->message, "/out"));
    g_autoptr(HfFileWalls) none = walls_of("{\"directories\": [[]], \"max_file_size\": 1000}");
    g_assert_null(read_at(none, deep, NULL));
    g_autoptr(HfFileWalls) everything =
        walls_of("{\"directories\": [[\"/\"]], \"max_file_size\": 1000}");
    g_assert_null(read_at(everything, "/proc/self/environ", NULL));
    g_assert_null(read_at(everything, "/sys/kernel/notes", NULL));
    g_assert_null(read_at(everything, "/dev/null", NULL));
    g_autofree char *own = at("data/files/key");
    g_assert_null(read_at(everything, own, NULL)); /* what we keep ourselves */
}

static gboolean write_at(const HfFileWalls *walls, const char *path, const char *text,
                         GError **error)
{
    HfDeadline deadline = hf_deadline_in_ms(10000, NULL);
    g_autoptr(HfFileChanges) changes = hf_file_changes_new(walls);
    g_autoptr(json_t) operation =
        json_pack("{s:s, s:s, s:s}", "op", "write", "path", path, "content", text);
    return hf_file_operation_add(changes, operation, error) &&
           hf_file_changes_apply(changes, &deadline, error);
}

static void test_writes(void)
{
    static const char *const refused[] = {
        "@/in/to-secret",  "@/in/to-out/new", "@/in/up/out/new", "@/in/dangling-out",
        "@/in/hard",       "@/in/fifo",       "@/in/sub",        "@/in",
        "@/in/denied/new", "@/in/to-denied",  "@/in/none/new"};
    g_autoptr(HfFileWalls) walls = plain_walls();
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *path = fill_in(refused[i]);
        g_test_message("%s", path);
        g_assert_false(write_at(walls, path, "changed", NULL));
    }
    g_autofree char *dangling = at("in/dangling"), *made = at("in/sub/new"), *text = NULL;
    g_assert_true(write_at(walls, dangling, "by a link", NULL));
    g_assert_true(g_file_get_contents(made, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, "by a link");
    g_autofree char *outside = at("out/new"), *secret = at("out/secret"), *kept = NULL;
    g_assert_false(g_file_test(outside, G_FILE_TEST_EXISTS));
    g_assert_true(g_file_get_contents(secret, &kept, NULL, NULL));
    g_assert_cmpstr(kept, ==, "outside");
}

/* ---- the race ---- */

static gint racing;

/* Exchanges a directory, or a file in it, for a link that leads outside, without end. */
static gpointer exchange(gpointer unused)
{
    g_autofree char *real = at("in/race"), *link = at("in/race-link");
    g_autofree char *file = at("in/sub/race"), *file_link = at("in/sub/race-link");
    while (g_atomic_int_get(&racing)) {
        renameat2(AT_FDCWD, real, AT_FDCWD, link, RENAME_EXCHANGE);
        renameat2(AT_FDCWD, file, AT_FDCWD, file_link, RENAME_EXCHANGE);
    }
    return NULL;
}

static void test_race(void)
{
    gboolean endless = g_strcmp0(g_getenv("HF_LONG"), "1") == 0;
    int rounds = endless ? 1000000 : 20000, good = 0;
    g_autofree char *out = at("out"), *secret = at("out/secret");
    put("in/race/secret", "inside");
    put("in/sub/race", "inside");
    link_to("in/race-link", out);
    link_to("in/sub/race-link", secret);
    g_autoptr(HfFileWalls) walls = plain_walls();
    g_autofree char *one = at("in/race/secret"), *two = at("in/sub/race");
    g_atomic_int_set(&racing, 1);
    GThread *thread = g_thread_new("exchange", exchange, NULL);
    for (int i = 0; i < rounds; i++) {
        g_autofree char *text = read_at(walls, i % 2 ? one : two, NULL);
        g_assert_cmpstr(text ? text : "inside", ==, "inside");
        good += text != NULL;
        if (i % 200 == 0)
            write_at(walls, i % 400 ? one : two, "inside", NULL);
    }
    g_atomic_int_set(&racing, 0);
    g_thread_join(thread);
    g_test_message("%d of %d were read", good, rounds);
    g_assert_cmpint(good, >, 0);
    g_autofree char *kept = NULL;
    g_assert_true(g_file_get_contents(secret, &kept, NULL, NULL));
    g_assert_cmpstr(kept, ==, "outside");
    g_autoptr(GDir) dir = g_dir_open(out, 0, NULL);
    guint count = 0;
    while (g_dir_read_name(dir))
        count++;
    g_assert_cmpuint(count, ==, 2); /* nothing of ours was left there */
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    setup();
    g_test_add_func("/files/place/paths", test_paths);
    g_test_add_func("/files/place/long-names", test_long_names);
    g_test_add_func("/files/place/lists", test_lists);
    g_test_add_func("/files/place/writes", test_writes);
    g_test_add_func("/files/place/race", test_race);
    int status = g_test_run();
    hf_undo_store_open(NULL, NULL);
    hf_remove_tree(base);
    g_free(base);
    return status;
}
