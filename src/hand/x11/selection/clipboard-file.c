/* SPDX-License-Identifier: Apache-2.0 */
/* Saved contents: one line of JSON that says what follows, then the bytes. Written beside, synced
 * and renamed, so a file with its proper name is whole. Names are unique: a process only ever
 * removes the file that it serves, never the one that its successor has just written. What is read
 * back is checked like anything from outside. */
#include "hand/x11/selection/clipboard-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand/x11/selection/clipboard-data.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

#define SUFFIX           ".saved"
#define SUFFIX_UNDONE    ".saving"
#define HEADER_MAX_BYTES (1024 * 1024)

struct HfClipboardFile {
    char *path;
    char *server;
    int fd;
};

HfClipboardFile *hf_clipboard_file_new_inherited(const char *path, int take_fd)
{
    HfClipboardFile *file = g_new0(HfClipboardFile, 1);
    file->path = g_strdup(path);
    file->fd = take_fd;
    return file;
}

void hf_clipboard_file_free(HfClipboardFile *file)
{
    if (!file)
        return;
    close(file->fd);
    g_free(file->path);
    g_free(file->server);
    g_free(file);
}

void hf_clipboard_file_remove(HfClipboardFile *file)
{
    if (file)
        unlink(file->path);
    hf_clipboard_file_free(file);
}

const char *hf_clipboard_file_get_path(const HfClipboardFile *file)
{
    return file->path;
}

int hf_clipboard_file_get_fd(const HfClipboardFile *file)
{
    return file->fd;
}

const char *hf_clipboard_file_get_server(const HfClipboardFile *file)
{
    return file->server;
}

/* The header of `data`; `blobs` gets each distinct piece of bytes once (borrowed). */
static char *make_header(const char *server, const HfClipboardData *data, GPtrArray *blobs)
{
    g_autoptr(json_t) header = json_pack("{s:s, s:[], s:[]}", "server", server, "formats", "blobs");
    for (guint i = 0; i < hf_clipboard_data_get_count(data); i++) {
        const HfClipboardFormat *format = hf_clipboard_data_get(data, i);
        guint blob = 0;
        if (!g_ptr_array_find(blobs, format->bytes, &blob)) {
            blob = blobs->len;
            g_ptr_array_add(blobs, format->bytes);
            json_array_append_new(json_object_get(header, "blobs"),
                                  json_integer((json_int_t)g_bytes_get_size(format->bytes)));
        }
        json_array_append_new(json_object_get(header, "formats"),
                              json_pack("{s:s, s:s, s:i, s:i}", "target", format->target, "type",
                                        format->type, "unit", format->unit, "blob", (int)blob));
    }
    return hf_json_dump(header);
}

static gboolean write_clipboard_bytes(int fd, const void *bytes, gsize length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = write(fd, at, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return FALSE;
        at += done;
        length -= (gsize)done;
    }
    return TRUE;
}

static gboolean write_clipboard_file(int fd, const char *server, const HfClipboardData *data)
{
    g_autoptr(GPtrArray) blobs = g_ptr_array_new();
    g_autofree char *header = make_header(server, data, blobs);
    if (!write_clipboard_bytes(fd, header, strlen(header)) || !write_clipboard_bytes(fd, "\n", 1))
        return FALSE;
    for (guint i = 0; i < blobs->len; i++) {
        gsize length = 0;
        const void *bytes = g_bytes_get_data(blobs->pdata[i], &length);
        if (!write_clipboard_bytes(fd, bytes, length))
            return FALSE;
    }
    return fsync(fd) == 0;
}

static void sync_clipboard_directory(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

HfClipboardFile *hf_clipboard_file_write(const char *directory, const char *server,
                                         const char *selection, const HfClipboardData *data,
                                         GError **error)
{
    g_autofree char *unique = g_uuid_string_random();
    g_autofree char *path =
        g_strdup_printf("%s/clipboard-%s-%s" SUFFIX, directory, selection, unique);
    g_autofree char *undone =
        g_strdup_printf("%s/clipboard-%s-%s" SUFFIX_UNDONE, directory, selection, unique);
    int fd = open(undone, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    gboolean done = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                    write_clipboard_file(fd, server, data) && rename(undone, path) == 0;
    if (done) {
        sync_clipboard_directory(directory);
        HfClipboardFile *file = hf_clipboard_file_new_inherited(path, fd);
        file->server = g_strdup(server);
        return file;
    }
    int reason = errno;
    if (fd >= 0) {
        unlink(undone);
        close(fd);
    }
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "cannot save the clipboard's content in '%s' (%s), so it is not touched", directory,
            g_strerror(reason));
    return NULL;
}

/* The whole file after its header line, or NULL. `ret_header` is set with it. */
static GBytes *read_clipboard_file(int fd, json_t **ret_header)
{
    struct stat info;
    if (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size <= 0 ||
        info.st_size > (off_t)HF_LIMIT_CLIPBOARD_SAVE_BYTES + HEADER_MAX_BYTES)
        return NULL;
    gsize length = (gsize)info.st_size, got = 0;
    g_autofree char *all = g_malloc(length);
    while (got < length) {
        ssize_t count = pread(fd, all + got, length - got, (off_t)got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return NULL;
        got += (gsize)count;
    }
    const char *end = memchr(all, '\n', MIN(length, HEADER_MAX_BYTES));
    json_t *header = end ? json_loadb(all, (size_t)(end - all), 0, NULL) : NULL;
    if (!header)
        return NULL;
    *ret_header = header;
    gsize skip = (gsize)(end - all) + 1;
    g_autoptr(GBytes) whole = g_bytes_new_take(g_steal_pointer(&all), length);
    return g_bytes_new_from_bytes(whole, skip, length - skip);
}

/* The pieces that the header announces; NULL unless they fill the rest exactly. */
static GPtrArray *split_blobs(const json_t *lengths, GBytes *rest)
{
    g_autoptr(GPtrArray) blobs = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    gsize offset = 0, size = g_bytes_get_size(rest), index;
    json_t *entry;
    json_array_foreach (lengths, index, entry) {
        json_int_t length = json_integer_value(entry);
        if (length < 0 || (guint64)length > size - offset)
            return NULL;
        g_ptr_array_add(blobs, g_bytes_new_from_bytes(rest, offset, (gsize)length));
        offset += (gsize)length;
    }
    return offset == size ? g_steal_pointer(&blobs) : NULL;
}

HfClipboardData *hf_clipboard_file_load(HfClipboardFile *file)
{
    g_autoptr(json_t) header = NULL;
    g_autoptr(GBytes) rest = read_clipboard_file(file->fd, &header);
    g_autoptr(GPtrArray) blobs = rest ? split_blobs(json_object_get(header, "blobs"), rest) : NULL;
    if (!blobs)
        return NULL;
    g_autoptr(HfClipboardData) data = hf_clipboard_data_new();
    size_t index;
    json_t *entry;
    json_array_foreach (json_object_get(header, "formats"), index, entry) {
        const char *target = hf_json_string(entry, "target", NULL);
        const char *type = hf_json_string(entry, "type", NULL);
        json_int_t unit = hf_json_int(entry, "unit", 0), blob = hf_json_int(entry, "blob", -1);
        if (!target || !type || (unit != 8 && unit != 16 && unit != 32) || blob < 0 ||
            blob >= blobs->len || index >= HF_LIMIT_CLIPBOARD_FORMATS)
            return NULL;
        hf_clipboard_data_add(data, target, type, (int)unit, g_bytes_ref(blobs->pdata[blob]));
    }
    g_free(file->server);
    file->server = g_strdup(hf_json_string(header, "server", ""));
    return g_steal_pointer(&data);
}

/* Opens and locks; NULL when somebody else holds it or it has just gone. */
static HfClipboardFile *open_orphan(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    HfClipboardFile *file = hf_clipboard_file_new_inherited(path, fd);
    struct stat info;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0 && info.st_nlink > 0)
        return file;
    hf_clipboard_file_free(file);
    return NULL;
}

static gint newest_first(gconstpointer a, gconstpointer b)
{
    struct stat left = {0}, right = {0};
    fstat((*(HfClipboardFile *const *)a)->fd, &left);
    fstat((*(HfClipboardFile *const *)b)->fd, &right);
    if (left.st_mtim.tv_sec != right.st_mtim.tv_sec)
        return left.st_mtim.tv_sec < right.st_mtim.tv_sec ? 1 : -1;
    return left.st_mtim.tv_nsec < right.st_mtim.tv_nsec   ? 1
           : left.st_mtim.tv_nsec > right.st_mtim.tv_nsec ? -1
                                                          : 0;
}

GPtrArray *hf_clipboard_file_find_orphans(const char *directory, const char *selection)
{
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)hf_clipboard_file_free);
    g_autofree char *prefix = g_strdup_printf("clipboard-%s-", selection);
    g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
    const char *name;
    while (entries && (name = g_dir_read_name(entries))) {
        gboolean undone = g_str_has_suffix(name, SUFFIX_UNDONE);
        if (!g_str_has_prefix(name, prefix) || (!undone && !g_str_has_suffix(name, SUFFIX)))
            continue;
        g_autofree char *path = g_build_filename(directory, name, NULL);
        HfClipboardFile *file = open_orphan(path);
        if (file && undone)
            hf_clipboard_file_remove(file);
        else if (file)
            g_ptr_array_add(found, file);
    }
    g_ptr_array_sort(found, newest_first);
    return found;
}
