/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses links and files that another user can change. Comments are members named "//"; they stay
 * in the file and are not checked. */
#include "desk/policy/config/config-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/policy/config/config-limits.h"
#include "shared/base/error.h"

static gboolean fail_config_file(GError **error, const char *path, const char *problem)
{
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s: %s", path, problem);
    hf_error_take_details(error, json_pack("{s:o, s:o}", "file", hf_json_text(path), "expected",
                                           hf_json_text(problem)));
    return FALSE;
}

static gboolean check_stat(int fd, const char *path, gsize *ret_size, GError **error)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_config_file(error, path, g_strerror(errno));
    if (S_ISDIR(info.st_mode))
        return fail_config_file(error, path, "expected a file, but this is a directory");
    if (!S_ISREG(info.st_mode))
        return fail_config_file(error, path, "expected a regular file");
    if (info.st_uid != geteuid() && info.st_uid != 0)
        return fail_config_file(error, path,
                                "expected a file that you or root own, but another user owns it");
    if (info.st_mode & 022)
        return fail_config_file(error, path, "other users may write to it; expected mode 0600");
    if (info.st_size > HF_LIMIT_CONFIG_BYTES)
        return fail_config_file(error, path, "expected at most 1 MiB");
    *ret_size = (gsize)info.st_size;
    return TRUE;
}

/* The file may grow while we read, so the limit is checked again. */
static GBytes *read_config_bytes(int fd, const char *path, gsize size, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_sized_new((guint)size + 1);
    guint8 chunk[16384];
    ssize_t count;
    while ((count = TEMP_FAILURE_RETRY(read(fd, chunk, sizeof chunk))) > 0) {
        g_byte_array_append(bytes, chunk, (guint)count);
        if (bytes->len > HF_LIMIT_CONFIG_BYTES) {
            fail_config_file(error, path, "expected at most 1 MiB");
            return NULL;
        }
    }
    if (count < 0) {
        fail_config_file(error, path, g_strerror(errno));
        return NULL;
    }
    return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

static gboolean is_config_too_deep(const json_t *value, guint depth)
{
    const char *key;
    json_t *member;
    if (depth > HF_LIMIT_CONFIG_DEPTH)
        return TRUE;
    json_object_foreach ((json_t *)value, key, member)
        if (is_config_too_deep(member, depth + 1))
            return TRUE;
    hf_json_each (item, value)
        if (is_config_too_deep(item, depth + 1))
            return TRUE;
    return FALSE;
}

json_t *hf_config_text_read(const char *text, gsize size, const char *name, GError **error)
{
    json_error_t problem;
    const char *bad;
    if (!g_utf8_validate_len(text, size, &bad)) {
        g_autofree char *what =
            g_strdup_printf("expected UTF-8; byte %zu is not valid", bad - text + 1);
        fail_config_file(error, name, what);
        return NULL;
    }
    g_autoptr(json_t) document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (!document) {
        g_autofree char *what =
            g_strdup_printf("line %d, column %d: %s", problem.line, problem.column, problem.text);
        fail_config_file(error, name, what);
        return NULL;
    }
    if (!json_is_object(document)) {
        fail_config_file(error, name, "expected an object: {...}");
        return NULL;
    }
    if (is_config_too_deep(document, 0)) {
        fail_config_file(error, name, "it nests deeper than any field");
        return NULL;
    }
    return g_steal_pointer(&document);
}

json_t *hf_config_file_read(const char *path, GError **error)
{
    gsize size;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return json_null();
    if (fd < 0) {
        fail_config_file(error, path,
                         errno == ELOOP ? "expected a regular file, but this is a link"
                                        : g_strerror(errno));
        return NULL;
    }
    g_autoptr(GBytes) bytes =
        check_stat(fd, path, &size, error) ? read_config_bytes(fd, path, size, error) : NULL;
    close(fd);
    if (!bytes)
        return NULL;
    const char *text = g_bytes_get_data(bytes, &size);
    return hf_config_text_read(text ? text : "", size, path, error);
}

static gboolean write_fd(int fd, const char *text, gsize size)
{
    while (size > 0) {
        ssize_t count = TEMP_FAILURE_RETRY(write(fd, text, size));
        if (count <= 0)
            return FALSE;
        text += count;
        size -= (gsize)count;
    }
    return fsync(fd) == 0;
}

static gboolean sync_config_directory(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    gboolean done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

static char *dump_config(const json_t *document)
{
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    char *line = g_strconcat(text, "\n", NULL);
    free(text);
    return line;
}

gboolean hf_config_file_write(const char *path, const json_t *document, GError **error)
{
    g_autofree char *directory = g_path_get_dirname(path);
    g_autofree char *temporary = g_strdup_printf("%s/.config.XXXXXX", directory);
    g_autofree char *text = dump_config(document);
    if (g_mkdir_with_parents(directory, 0700) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot make the directory '%s': %s",
                       directory, g_strerror(errno));
    int fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write in '%s': %s", directory,
                       g_strerror(errno));
    gboolean written = write_fd(fd, text, strlen(text));
    written = close(fd) == 0 && written;
    if (written && rename(temporary, path) == 0 && sync_config_directory(directory))
        return TRUE;
    int reason = errno;
    unlink(temporary);
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", path,
                   g_strerror(reason));
}
