/* A path is followed to its end first; that end must lie within the walls, and is then opened
 * without following any link, so that what is opened is what was looked at. */
#include "browser/files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/glob.h"
#include "base/paths.h"
#include "base/text.h"

#define COPY_BYTES   ((gsize)256 * 1024)
#define MOST_COPIES  1000
#define NAME_BYTES   200
#define FALLBACK_MAX ((gint64)50 * 1024 * 1024)

static gboolean lies_within(const json_t *list, const char *real)
{
    size_t index;
    json_t *entry;
    json_array_foreach (list, index, entry)
        if (json_is_string(entry) && hf_path_within(json_string_value(entry), real))
            return TRUE;
    return FALSE;
}

static gboolean is_denied(const json_t *walls, const char *real)
{
    size_t index;
    json_t *entry;
    g_autofree char *below = g_strconcat(real, "/", NULL);
    json_array_foreach (json_object_get(walls, "denied"), index, entry)
        if (hf_glob_matches(json_string_value(entry), real) ||
            hf_glob_matches(json_string_value(entry), below))
            return TRUE;
    return FALSE;
}

static gboolean check_real(const json_t *walls, const char *real, GError **error)
{
    size_t index;
    json_t *list;
    gboolean inside = json_array_size(json_object_get(walls, "directories")) > 0;
    json_array_foreach (json_object_get(walls, "directories"), index, list)
        inside = inside && lies_within(list, real);
    if (inside && !is_denied(walls, real))
        return TRUE;
    g_autofree char *shown = hf_text_shorten(real, 300);
    hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is %s", shown,
            inside ? "a path that no tool may touch" : "outside of the allowed directories");
    hf_error_suggest(error, "use a file in an allowed directory: security.allowed_directories");
    hf_error_take_details(
        error, json_pack("{s:O?}", "directories", json_object_get(walls, "directories")));
    return FALSE;
}

static int open_exactly(const char *real, int flags)
{
    struct open_how how = {.flags = (guint64)(flags | O_CLOEXEC), .resolve = RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, AT_FDCWD, real, &how, sizeof how);
}

static gint64 most_bytes(const json_t *walls)
{
    return hf_json_int(walls, "max_file_size", FALSE) > 0
               ? hf_json_int(walls, "max_file_size", FALLBACK_MAX)
               : FALLBACK_MAX;
}

static int open_for_reading(const json_t *walls, const char *path, GError **error)
{
    g_autofree char *real = hf_path_dup_real(path);
    g_autofree char *shown = hf_text_shorten(path, 300);
    struct stat info;
    if (!real)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is no absolute path", shown), -1;
    if (!check_real(walls, real, error))
        return -1;
    int fd = open_exactly(real, O_RDONLY | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is no file that can be read: %s", shown,
                fd < 0 ? g_strerror(errno) : "not a regular file");
    else if (info.st_size > most_bytes(walls))
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                "'%s' has %" G_GINT64_FORMAT " bytes, more than %" G_GINT64_FORMAT, shown,
                (gint64)info.st_size, most_bytes(walls));
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static gboolean copy_all(int from, int to, GError **error)
{
    g_autofree char *buffer = g_malloc(COPY_BYTES);
    for (;;) {
        ssize_t count = read(from, buffer, COPY_BYTES);
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0)
            return TRUE;
        for (ssize_t done = 0; count > 0 && done < count;) {
            ssize_t written = write(to, buffer + done, (gsize)(count - done));
            if (written < 0 && errno != EINTR)
                count = -1;
            done += MAX(written, 0);
        }
        if (count < 0)
            return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the file cannot be copied: %s",
                           g_strerror(errno));
    }
}

char *hf_page_file_stage(const json_t *walls, const char *path, const char *folder, GError **error)
{
    int from = open_for_reading(walls, path, error);
    if (from < 0)
        return NULL;
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *uploads = g_build_filename(folder, HF_PAGE_UPLOADS, NULL);
    g_autofree char *pattern = g_build_filename(uploads, "XXXXXX", NULL);
    char *own = g_mkdir_with_parents(uploads, 0700) == 0 ? g_mkdtemp_full(pattern, 0700) : NULL;
    g_autofree char *place = own ? g_build_filename(own, name, NULL) : NULL;
    int to = place ? open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    gboolean done = to >= 0 && copy_all(from, to, error);
    if (to < 0)
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "no room for a copy of the file: %s",
                g_strerror(errno));
    else
        close(to);
    close(from);
    return done ? g_steal_pointer(&place) : NULL;
}

static char *check_dir(const json_t *walls, const char *path, GError **error)
{
    g_autofree char *real = hf_path_dup_real(path);
    if (!real)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is no absolute path", path), NULL;
    if (!check_real(walls, real, error))
        return NULL;
    if (!g_file_test(real, G_FILE_TEST_IS_DIR))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no directory '%s'", path), NULL;
    return g_steal_pointer(&real);
}

char *hf_page_file_choose_dir(const json_t *walls, const char *wanted, GError **error)
{
    if (wanted)
        return check_dir(walls, wanted, error);
    const json_t *lists = json_object_get(walls, "directories");
    for (size_t i = json_array_size(lists); i-- > 0;) {
        size_t index;
        json_t *entry;
        json_array_foreach (json_array_get(lists, i), index, entry) {
            char *real = check_dir(walls, json_string_value(entry), NULL);
            if (real)
                return real;
        }
    }
    hf_fail(error, HF_ERROR_FORBIDDEN, "no allowed directory is there for downloads");
    hf_error_suggest(error, "make one of the allowed directories, or say where: download_dir");
    return NULL;
}

/* What a server calls a file is nothing to trust: one name, no path, nothing hidden. */
static char *safe_name(const char *name)
{
    g_autofree char *base = g_path_get_basename(*name ? name : "download");
    g_autofree char *valid = g_utf8_make_valid(base, -1);
    for (char *at = valid; *at; at++)
        if (g_ascii_iscntrl(*at) || strchr("/\\:*?\"<>|", *at))
            *at = '_';
    const char *begin = valid + strspn(valid, ". ");
    gsize length = strlen(begin);
    while (length > NAME_BYTES)
        length = (gsize)(g_utf8_find_prev_char(begin, begin + length) - begin);
    return length > 0 ? g_strndup(begin, length) : g_strdup("download");
}

static char *numbered(const char *name, int number)
{
    const char *dot = strrchr(name, '.');
    if (number == 0)
        return g_strdup(name);
    gsize stem = dot && dot != name ? (gsize)(dot - name) : strlen(name);
    return g_strdup_printf("%.*s (%d)%s", (int)stem, name, number, name + stem);
}

static int create_free(const json_t *walls, int directory_fd, const char *directory,
                       const char *name, char **ret_path)
{
    for (int number = 0; number < MOST_COPIES; number++) {
        g_autofree char *own = numbered(name, number);
        g_autofree char *path = g_build_filename(directory, own, NULL);
        if (is_denied(walls, path)) {
            errno = EACCES;
            return -1;
        }
        int fd =
            openat(directory_fd, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd >= 0)
            *ret_path = g_steal_pointer(&path);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

char *hf_page_file_place(const json_t *walls, const char *from, const char *directory,
                         const char *name, GError **error)
{
    g_autofree char *own = safe_name(name), *path = NULL;
    int directory_fd = open_exactly(directory, O_RDONLY | O_DIRECTORY);
    int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int to = directory_fd >= 0 && source >= 0
                 ? create_free(walls, directory_fd, directory, own, &path)
                 : -1;
    gboolean done = to >= 0 && copy_all(source, to, error);
    if (to < 0)
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "the download cannot be put into %s: %s", directory,
                g_strerror(errno));
    int fds[] = {directory_fd, source, to};
    for (gsize i = 0; i < G_N_ELEMENTS(fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
    g_unlink(from);
    return done ? g_steal_pointer(&path) : NULL;
}
