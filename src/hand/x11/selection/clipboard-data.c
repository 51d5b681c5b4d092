/* SPDX-License-Identifier: Apache-2.0 */
/* Clipboard content in memory and on disk. Programs offer one text under up to ten names, so equal
 * bytes are stored once. A file is a JSON line that describes the formats, then the bytes. It is
 * written under another name, synced and renamed, so a file with the final name is complete. Names
 * are unique: a process removes only the file that it serves, never the one that its successor has
 * just written. Files are not trusted: loading checks everything. */
#include "hand/x11/selection/clipboard-data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

#define SUFFIX           ".saved"
#define SUFFIX_PARTIAL   ".saving"
#define HEADER_MAX_BYTES (1024 * 1024)

struct HfClipboardData {
    GPtrArray *formats; /* of HfClipboardFormat */
};

static void format_free(gpointer pointer)
{
    HfClipboardFormat *format = pointer;
    g_free(format->target);
    g_free(format->type);
    g_bytes_unref(format->bytes);
    g_free(format);
}

static void data_clear(gpointer pointer)
{
    HfClipboardData *data = pointer;
    g_ptr_array_unref(data->formats);
}

HfClipboardData *hf_clipboard_data_new(void)
{
    HfClipboardData *data = g_atomic_rc_box_new0(HfClipboardData);
    data->formats = g_ptr_array_new_with_free_func(format_free);
    return data;
}

HfClipboardData *hf_clipboard_data_ref(HfClipboardData *data)
{
    return g_atomic_rc_box_acquire(data);
}

void hf_clipboard_data_unref(HfClipboardData *data)
{
    if (data)
        g_atomic_rc_box_release_full(data, data_clear);
}

guint hf_clipboard_data_get_count(const HfClipboardData *data)
{
    return data->formats->len;
}

const HfClipboardFormat *hf_clipboard_data_get(const HfClipboardData *data, guint index)
{
    return data->formats->pdata[index];
}

const HfClipboardFormat *hf_clipboard_data_find(const HfClipboardData *data, const char *target)
{
    for (guint i = 0; i < data->formats->len; i++) {
        const HfClipboardFormat *format = data->formats->pdata[i];
        if (g_str_equal(format->target, target))
            return format;
    }
    return NULL;
}

/* The bytes of an earlier format if they are equal, otherwise these. */
static GBytes *share_bytes(const HfClipboardData *data, GBytes *take_bytes)
{
    for (guint i = 0; i < data->formats->len; i++) {
        GBytes *earlier = hf_clipboard_data_get(data, i)->bytes;
        if (g_bytes_equal(earlier, take_bytes)) {
            g_bytes_unref(take_bytes);
            return g_bytes_ref(earlier);
        }
    }
    return take_bytes;
}

void hf_clipboard_data_add(HfClipboardData *data, const char *target, const char *type, int unit,
                           GBytes *take_bytes)
{
    HfClipboardFormat *format = g_new0(HfClipboardFormat, 1);
    format->target = g_strdup(target);
    format->type = g_strdup(type);
    format->unit = unit;
    format->bytes = share_bytes(data, take_bytes);
    g_ptr_array_add(data->formats, format);
}

/* X defines STRING as Latin-1; other characters become question marks. */
static GBytes *bytes_latin1(const char *text, GBytes *utf8)
{
    if (g_str_is_ascii(text) || !g_utf8_validate(text, -1, NULL))
        return g_bytes_ref(utf8);
    GByteArray *latin1 = g_byte_array_sized_new((guint)g_bytes_get_size(utf8));
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        guint8 byte = character < 256 ? (guint8)character : '?';
        g_byte_array_append(latin1, &byte, 1);
    }
    return g_byte_array_free_to_bytes(latin1);
}

HfClipboardData *hf_clipboard_data_new_text(const char *text, gboolean secret)
{
    static const char *const utf8_targets[] = {"UTF8_STRING", "text/plain;charset=utf-8",
                                               "text/plain;charset=UTF-8", "text/plain"};
    HfClipboardData *data = hf_clipboard_data_new();
    g_autoptr(GBytes) utf8 = g_bytes_new(text, strlen(text));
    for (guint i = 0; i < G_N_ELEMENTS(utf8_targets); i++)
        hf_clipboard_data_add(data, utf8_targets[i], utf8_targets[i], 8, g_bytes_ref(utf8));
    hf_clipboard_data_add(data, "TEXT", "UTF8_STRING", 8, g_bytes_ref(utf8));
    hf_clipboard_data_add(data, "STRING", "STRING", 8, bytes_latin1(text, utf8));
    if (secret)
        hf_clipboard_data_add(data, HF_CLIPBOARD_SECRET_TARGET, HF_CLIPBOARD_SECRET_TARGET, 8,
                              g_bytes_new_static("secret", 6));
    return data;
}

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

/* `blobs` gets the bytes of all formats, equal ones once (borrowed). */
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
    g_autofree char *partial =
        g_strdup_printf("%s/clipboard-%s-%s" SUFFIX_PARTIAL, directory, selection, unique);
    int fd = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    gboolean done = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                    write_clipboard_file(fd, server, data) && rename(partial, path) == 0;
    if (done) {
        sync_clipboard_directory(directory);
        HfClipboardFile *file = hf_clipboard_file_new_inherited(path, fd);
        file->server = g_strdup(server);
        return file;
    }
    int reason = errno;
    if (fd >= 0) {
        unlink(partial);
        close(fd);
    }
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "the clipboard was left as it is, because its content cannot be saved in '%s': %s",
            directory, g_strerror(reason));
    return NULL;
}

/* The bytes after the header line; NULL when the file is damaged. */
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

/* Splits the bytes as the header says; NULL unless they match exactly. */
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

/* NULL when another process has locked or just removed the file. */
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
    gint64 seconds = right.st_mtim.tv_sec - left.st_mtim.tv_sec;
    gint64 difference = seconds ? seconds : right.st_mtim.tv_nsec - left.st_mtim.tv_nsec;
    return (difference > 0) - (difference < 0);
}

GPtrArray *hf_clipboard_file_find_orphans(const char *directory, const char *selection)
{
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)hf_clipboard_file_free);
    g_autofree char *prefix = g_strdup_printf("clipboard-%s-", selection);
    g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
    const char *name;
    while (entries && (name = g_dir_read_name(entries))) {
        gboolean partial = g_str_has_suffix(name, SUFFIX_PARTIAL);
        if (!g_str_has_prefix(name, prefix) || (!partial && !g_str_has_suffix(name, SUFFIX)))
            continue;
        g_autofree char *path = g_build_filename(directory, name, NULL);
        HfClipboardFile *file = open_orphan(path);
        if (file && partial)
            hf_clipboard_file_remove(file);
        else if (file)
            g_ptr_array_add(found, file);
    }
    g_ptr_array_sort(found, newest_first);
    return found;
}
