/* SPDX-License-Identifier: Apache-2.0 */
/* file_read: a part of a file as text, or as Base64; or what is in a directory. What is left out is
 * always said. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "hand/files/fd.h"
#include "hand/files/file-text.h"
#include "hand/files/files-limits.h"
#include "hand/files/secret-files.h"
#include "hand/tools/files/call-files.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"

/* ---- text ---- */

typedef struct Part {
    const char *start;
    gsize length;
    guint64 lines;      /* that it has, of which the last may be cut */
    gboolean cut;       /* within its last line */
    gboolean truncated; /* more follows */
} Part;

/* Lines from `offset` on (1: the first), at most `limit`, and no more bytes than an answer takes.
 */
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
    /* All of it, so that a key is known by its beginning also in a part from its middle. */
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

/* In order, without what the owner has denied. */
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
    {.name = "offset",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = 1e9,
     .fallback = "1",
     .about = "The first line to return, or the first entry of a directory"},
    {.name = "limit",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_FILE_LINES,
     .fallback = "2000",
     .about = "How many lines or entries at most"},
    {.name = "byte_offset",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 4294967296.0,
     .fallback = "0",
     .about = "The first byte to return of a file that is no text"},
    {0},
};

static const HfParam entry_fields[] = {
    {.name = "name", .type = HF_TYPE_STRING, .required = TRUE, .about = "In this directory"},
    {.name = "type",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "file, directory, link or other"},
    {.name = "bytes", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its size"},
    {.name = "modified",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "When it was last changed, in ms since 1970"},
    {0},
};
static const HfParam entry = {
    .name = "entry", .type = HF_TYPE_OBJECT, .fields = entry_fields, .about = "What is there"};

#define FIELD(field, kind, text)                                                                   \
    {                                                                                              \
        .name = field, .type = kind, .about = text                                                 \
    }

static const HfParam result[] = {
    {.name = "path",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where it is, links followed"},
    {.name = "type", .type = HF_TYPE_STRING, .required = TRUE, .about = "file or directory"},
    {.name = "content",
     .type = HF_TYPE_STRING,
     .secret = TRUE,
     .about = "Of a file: the lines, or Base64 when it is no text"},
    FIELD("encoding", HF_TYPE_STRING, "utf-8, utf-16le, utf-16be, or base64 when it is no text"),
    FIELD("byte_order_mark", HF_TYPE_BOOLEAN, "The file begins with a byte order mark"),
    FIELD("line_endings", HF_TYPE_STRING, "lf, crlf, cr, mixed or none"),
    FIELD("total_lines", HF_TYPE_INTEGER, "Lines of the whole file"),
    FIELD("total_bytes", HF_TYPE_INTEGER, "Bytes of the whole file"),
    FIELD("sha256", HF_TYPE_STRING, "Hash of the whole file, for expect_hash"),
    FIELD("first_line", HF_TYPE_INTEGER, "Number of the first line of the content"),
    FIELD("lines", HF_TYPE_INTEGER, "Lines of the content"),
    FIELD("next_offset", HF_TYPE_INTEGER, "Where the next part begins"),
    FIELD("next_byte_offset", HF_TYPE_INTEGER, "The same of a file that is no text"),
    FIELD("line_cut", HF_TYPE_BOOLEAN, "The line is longer than an answer may be"),
    FIELD("redacted", HF_TYPE_BOOLEAN, "Secrets were left out of the content"),
    {.name = "entries",
     .type = HF_TYPE_ARRAY,
     .items = &entry,
     .about = "Of a directory: what is in it, by name"},
    FIELD("total_entries", HF_TYPE_INTEGER, "How many there are"),
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There is more than was returned"},
    {0},
};

const HfTool hf_tool_file_read = {
    .name = "file_read",
    .title = "Read a file",
    .summary =
        "Return lines of a text file with its encoding and line endings, bytes of any other file "
        "as Base64, or the entries of a directory. Long files come in parts: go on with "
        "next_offset. Keys and passwords are shown as [redacted].",
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
