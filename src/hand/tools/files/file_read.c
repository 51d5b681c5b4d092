/* SPDX-License-Identifier: Apache-2.0 */
/* file_read: returns a part of a file as text or Base64, or the entries of a directory. The result
 * always says what it leaves out. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "hand/files/file-text.h"
#include "hand/files/files-limits.h"
#include "hand/files/secret-files.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"

/* ---- text ---- */

typedef struct Part {
    const char *start;
    gsize length;
    guint64 lines;      /* how many; the last may be cut */
    gboolean cut;       /* within its last line */
    gboolean truncated; /* more follows */
} Part;

/* Lines from `offset` on (1: the first), at most `limit`, and at most as many bytes as an answer
 * may have. */
static Part take_part(const char *text, gsize length, guint64 offset, guint64 limit)
{
    const char *end = text + length, *at = text;
    for (guint64 line = 1; line < offset && at < end; line++) {
        const char *feed = memchr(at, '\n', (gsize)(end - at));
        at = feed ? feed + 1 : end;
    }
    Part part = {.start = at};
    while (at < end && part.lines < limit) {
        const char *feed = memchr(at, '\n', (gsize)(end - at));
        const char *next = feed ? feed + 1 : end;
        if ((gsize)(next - part.start) > HF_LIMIT_FILE_PART_BYTES) {
            part.cut = part.lines == 0;
            break;
        }
        part.lines++;
        at = next;
    }
    if (part.cut) {
        at = part.start + HF_LIMIT_FILE_PART_BYTES;
        while (((guchar)*at & 0xc0) == 0x80)
            at--;
        part.lines = 1;
    }
    part.length = (gsize)(at - part.start);
    part.truncated = at < end;
    return part;
}

static void add_text_part_of_file(const HfCall *call, const HfFilePlace *place,
                                  const HfFileText *text, json_t *result)
{
    gboolean redacted;
    guint64 offset = (guint64)hf_call_int(call, "offset");
    /* Redacts the whole text: a part from the middle of a key would not be recognised. */
    g_autofree char *clean = hf_secret_file_redact(place->path, text->text, &redacted);
    Part part = take_part(clean, strlen(clean), offset, (guint64)hf_call_int(call, "limit"));
    json_object_set_new(result, "content", hf_json_text_n(part.start, part.length));
    json_object_set_new(result, "line_endings", json_string(hf_endings_name(text->endings)));
    json_object_set_new(result, "byte_order_mark", json_boolean(text->mark));
    json_object_set_new(result, "total_lines",
                        json_integer((json_int_t)hf_text_count_lines(clean, strlen(clean))));
    json_object_set_new(result, "first_line", json_integer((json_int_t)offset));
    json_object_set_new(result, "lines", json_integer((json_int_t)part.lines));
    json_object_set_new(result, "truncated", json_boolean(part.truncated));
    if (part.truncated && !part.cut)
        json_object_set_new(result, "next_offset", json_integer((json_int_t)(offset + part.lines)));
    if (redacted)
        json_object_set_new(result, "redacted", json_true());
    if (part.cut)
        json_object_set_new(result, "line_cut", json_true());
}

/* ---- bytes ---- */

static void add_bytes_of_file(const HfCall *call, const HfFilePlace *place, GBytes *bytes,
                              json_t *result)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    if (hf_secret_file_is(place->path)) {
        json_object_set_new(result, "content", json_string(""));
        json_object_set_new(result, "redacted", json_true());
        json_object_set_new(result, "truncated", json_true());
        return;
    }
    gsize from = MIN((gsize)hf_call_int(call, "byte_offset"), size);
    gsize length = MIN(size - from, HF_LIMIT_FILE_PART_BYTES);
    g_autofree char *text = g_malloc(hf_base64_length(length) + 1);
    hf_base64_encode(data + from, length, text);
    json_object_set_new(result, "content", hf_json_text_n(text, hf_base64_length(length)));
    json_object_set_new(result, "truncated", json_boolean(from + length < size));
    if (from + length < size)
        json_object_set_new(result, "next_byte_offset", json_integer((json_int_t)(from + length)));
}

/* ---- directories ---- */

static const char *file_type_name(const struct stat *info)
{
    return S_ISDIR(info->st_mode)   ? "directory"
           : S_ISREG(info->st_mode) ? "file"
           : S_ISLNK(info->st_mode) ? "link"
                                    : "other";
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, without what the owner denies. */
static GPtrArray *list_names(const HfFileWalls *walls, const HfFilePlace *place, int fd)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    DIR *dir = fdopendir(fd);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        g_autofree char *path = g_build_filename(place->path, entry->d_name, NULL);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !hf_file_walls_deny(walls, path))
            g_ptr_array_add(names, g_strdup(entry->d_name));
    }
    if (dir)
        closedir(dir);
    else
        close(fd);
    g_ptr_array_sort(names, compare_names);
    return names;
}

static json_t *directory_entry_to_json(int directory, const char *name)
{
    struct stat info;
    if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return NULL;
    json_t *json =
        json_pack("{s:o, s:s, s:I, s:I}", "name", hf_json_text(name), "type", file_type_name(&info),
                  "bytes", (json_int_t)info.st_size, "modified", (json_int_t)info.st_mtime * 1000);
    return json;
}

static gboolean add_entries(const HfCall *call, const HfFileWalls *walls, const HfFilePlace *place,
                            json_t *result, GError **error)
{
    g_auto(HfFd) fd = hf_file_place_open(place, error);
    int other = fd >= 0 ? openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (other < 0)
        return FALSE;
    g_autoptr(GPtrArray) names = list_names(walls, place, other);
    json_t *list = json_array();
    guint64 offset = (guint64)hf_call_int(call, "offset"), from = offset - 1;
    guint64 end = from + MIN((guint64)hf_call_int(call, "limit"), HF_LIMIT_FILE_ENTRIES);
    for (guint64 i = from; i < names->len && i < end; i++) {
        json_t *entry = directory_entry_to_json(fd, names->pdata[i]);
        if (entry)
            json_array_append_new(list, entry);
    }
    json_object_set_new(result, "entries", list);
    json_object_set_new(result, "total_entries", json_integer(names->len));
    json_object_set_new(result, "truncated", json_boolean(end < names->len));
    if (end < names->len)
        json_object_set_new(result, "next_offset", json_integer((json_int_t)end + 1));
    return TRUE;
}

/* ---- the tool ---- */

static gboolean add_file_content(const HfCall *call, const HfFileWalls *walls,
                                 const HfFilePlace *place, json_t *result, GError **error)
{
    g_autoptr(GBytes) bytes = hf_file_place_read(place, walls->most_bytes, error);
    if (!bytes)
        return FALSE;
    g_auto(HfFileText) text = {0};
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    hf_file_text_read(&text, bytes);
    json_object_set_new(result, "encoding",
                        json_string(text.text ? hf_encoding_name(text.encoding) : "base64"));
    json_object_set_new(result, "total_bytes", json_integer((json_int_t)g_bytes_get_size(bytes)));
    json_object_set_new(result, "sha256", json_string(hash));
    if (text.text)
        add_text_part_of_file(call, place, &text, result);
    else
        add_bytes_of_file(call, place, bytes, result);
    return TRUE;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    g_autoptr(HfFilePlace) place =
        walls ? hf_file_place_find_existing(walls, hf_call_string(call, "path"), error) : NULL;
    if (!place || !hf_secret_file_check(place->asked, place->path, FALSE, error))
        return NULL;
    gboolean directory = hf_file_place_is_directory(place);
    g_autoptr(json_t) result = json_pack("{s:o, s:s}", "path", hf_json_text(place->path), "type",
                                         directory ? "directory" : "file");
    gboolean good = directory ? add_entries(call, walls, place, result, error)
                              : add_file_content(call, walls, place, result, error);
    return good ? hf_result_new(json_incref(result)) : NULL;
}

static const HfParam params[] = {
    HF_PARAM_PATH("A file or a directory: absolute, or from ~/"),
    HF_INTEGER("offset", "The first line to return, or the first entry of a directory", .min = 1,
               .max = 1e9, .fallback = "1"),
    HF_INTEGER("limit", "The most lines or entries to return", .min = 1, .max = HF_LIMIT_FILE_LINES,
               .fallback = "2000"),
    HF_INTEGER("byte_offset", "The first byte to return of a binary file", .min = 0,
               .max = 4294967296.0, .fallback = "0"),
    {0},
};

static const HfParam entry_fields[] = {
    HF_STRING("name", "Its name in the directory", .required = TRUE),
    HF_STRING("type", "file, directory, link or other", .required = TRUE),
    HF_INTEGER("bytes", "Its size", .required = TRUE),
    HF_INTEGER("modified", "When it was last modified, in ms since 1970", .required = TRUE),
    {0},
};
static const HfParam entry = HF_OBJECT("entry", "One entry", .fields = entry_fields);

static const HfParam result[] = {
    HF_STRING("path", "Its path, with links resolved", .required = TRUE),
    HF_STRING("type", "file or directory", .required = TRUE),
    HF_STRING("content", "Of a file: the lines, or Base64 of a binary file", .secret = TRUE),
    HF_STRING("encoding", "utf-8, utf-16le, utf-16be, or base64 for a binary file"),
    HF_BOOLEAN("byte_order_mark", "The file begins with a byte order mark"),
    HF_STRING("line_endings", "lf, crlf, cr, mixed or none"),
    HF_INTEGER("total_lines", "Lines of the whole file"),
    HF_INTEGER("total_bytes", "Bytes of the whole file"),
    HF_STRING("sha256", "Hash of the whole file, for expect_hash"),
    HF_INTEGER("first_line", "Number of the first line of the content"),
    HF_INTEGER("lines", "Lines of the content"),
    HF_INTEGER("next_offset", "Where the next part begins"),
    HF_INTEGER("next_byte_offset", "The same for a binary file"),
    HF_BOOLEAN("line_cut", "The line was cut: it is longer than an answer may be"),
    HF_BOOLEAN("redacted", "Secrets were left out of the content"),
    HF_ARRAY("entries", "Of a directory: its entries, sorted by name", .items = &entry),
    HF_INTEGER("total_entries", "How many entries there are"),
    HF_BOOLEAN("truncated", "There is more than was returned", .required = TRUE),
    {0},
};

const HfTool hf_tool_file_read = {
    .name = "file_read",
    .title = "Read a file",
    .summary = "Return lines of a text file with its encoding and line endings, bytes of any other "
               "file as Base64, or the entries of a directory. Long files come in parts: continue "
               "with next_offset. Keys and passwords are shown as [redacted].",
    .category = HF_CATEGORY_FILES,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_FILE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FILES,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT | HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
