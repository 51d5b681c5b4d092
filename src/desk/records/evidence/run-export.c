/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to a temporary file, which replaces the wanted one when complete. Identical pictures are
 * stored once. */
#include "desk/records/evidence/run-export.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "desk/records/evidence/run-read.h"
#include "desk/records/records-limits.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/library.h"

typedef struct HfZipWriter HfZipWriter;

static void zip_writer_free(HfZipWriter *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfZipWriter, zip_writer_free)

/* libarchive is loaded only when a zip is written: it brings an XML parser and Unicode tables
 * along, 2 MB in each of our processes, most of which never write a zip. */
#define FUNCTIONS(X)                                                                               \
    X(archive_entry_free)                                                                          \
    X(archive_entry_new)                                                                           \
    X(archive_entry_set_filetype)                                                                  \
    X(archive_entry_set_mtime)                                                                     \
    X(archive_entry_set_pathname)                                                                  \
    X(archive_entry_set_perm)                                                                      \
    X(archive_entry_set_size)                                                                      \
    X(archive_error_string)                                                                        \
    X(archive_write_close)                                                                         \
    X(archive_write_data)                                                                          \
    X(archive_write_free)                                                                          \
    X(archive_write_header)                                                                        \
    X(archive_write_new)                                                                           \
    X(archive_write_open_fd)                                                                       \
    X(archive_write_set_format_zip)                                                                \
    X(archive_write_set_options)

typedef struct Functions {
    FUNCTIONS(HF_LIBRARY_MEMBER)
} Functions;

struct HfZipWriter {
    const Functions *library;
    struct archive *archive;
    time_t time;
};

static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};

static const Functions *find_archive_library(GError **error)
{
    static HfLibrary library = {.file = "libarchive.so.13",
                                .purpose = "writes zip files",
                                .install = "libarchive13",
                                .symbols = symbols,
                                .size = sizeof(Functions),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

static gboolean fail_archive(HfZipWriter *zip, const char *what, GError **error)
{
    const char *reason = zip->library->archive_error_string(zip->archive);
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write %s: %s", what,
                   reason ? reason : "unknown reason");
}

/* Writes into `fd`, which the caller closes. */
static HfZipWriter *zip_writer_new(int fd, GError **error)
{
    const Functions *library = find_archive_library(error);
    if (!library)
        return NULL;
    g_autoptr(HfZipWriter) zip = g_new0(HfZipWriter, 1);
    zip->library = library;
    zip->archive = library->archive_write_new();
    zip->time = time(NULL);
    library->archive_write_set_format_zip(zip->archive);
    library->archive_write_set_options(zip->archive,
                                       "zip:compression=deflate,zip:hdrcharset=UTF-8");
    if (library->archive_write_open_fd(zip->archive, fd) == ARCHIVE_OK)
        return g_steal_pointer(&zip);
    fail_archive(zip, "the zip file", error);
    return NULL;
}

static void zip_writer_free(HfZipWriter *zip)
{
    if (!zip)
        return;
    zip->library->archive_write_free(zip->archive);
    g_free(zip);
}

static gboolean zip_writer_add(HfZipWriter *zip, const char *name, const void *data, gsize size,
                               GError **error)
{
    const Functions *library = zip->library;
    struct archive_entry *entry = library->archive_entry_new();
    library->archive_entry_set_pathname(entry, name);
    library->archive_entry_set_size(entry, (la_int64_t)size);
    library->archive_entry_set_filetype(entry, AE_IFREG);
    library->archive_entry_set_perm(entry, 0600);
    library->archive_entry_set_mtime(entry, zip->time, 0);
    gboolean written = library->archive_write_header(zip->archive, entry) == ARCHIVE_OK &&
                       library->archive_write_data(zip->archive, data, size) == (la_ssize_t)size;
    library->archive_entry_free(entry);
    g_autofree char *what = written ? NULL : g_strdup_printf("'%s' into the zip file", name);
    return written || fail_archive(zip, what, error);
}

/* Completes the file. */
static gboolean zip_writer_finish(HfZipWriter *zip, GError **error)
{
    return zip->library->archive_write_close(zip->archive) == ARCHIVE_OK ||
           fail_archive(zip, "the end of the zip file", error);
}

/* JSON inside a <script> element: without these characters nothing can close the element. */
static char *dump_for_html(const json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT);
    GString *safe = g_string_sized_new(strlen(text) + 256);
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&')
            g_string_append_printf(safe, "\\u%04x", (unsigned)*at);
        else
            g_string_append_c(safe, *at);
    }
    free(text);
    return g_string_free(safe, FALSE);
}

static char *script_hash_base64(const char *script)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    g_checksum_update(checksum, (const guchar *)script, -1);
    g_checksum_get_digest(checksum, digest, &length);
    return g_base64_encode(digest, length);
}

char *hf_run_page_new(const json_t *data)
{
    const char *script = hf_data_find("run-page.js");
    g_autofree char *hash = script_hash_base64(script);
    g_autofree char *policy =
        g_strdup_printf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; "
                        "img-src 'self' file:; base-uri 'none'; form-action 'none'",
                        hash);
    g_autofree char *text = dump_for_html(data);
    const struct {
        const char *mark, *content;
    } parts[] = {{"@POLICY@", policy},
                 {"@STYLE@", hf_data_find("run-page.css")},
                 {"@DATA@", text},
                 {"@SCRIPT@", script}};
    /* Split the template as we go: inserted text may itself contain a mark. */
    const char *rest = hf_data_find("run-page.html");
    GString *page = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        const char *mark = strstr(rest, parts[i].mark);
        g_assert(mark);
        g_string_append_len(page, rest, mark - rest);
        g_string_append(page, parts[i].content);
        rest = mark + strlen(parts[i].mark);
    }
    g_string_append(page, rest);
    return g_string_free(page, FALSE);
}

/* Adds a file of the run; skips it if it is missing or a link. */
static gboolean add_run_file(HfZipWriter *zip, const char *path, const char *name, GError **error)
{
    g_autofree char *file = g_build_filename(path, name, NULL);
    struct stat info;
    char *data = NULL;
    gsize size;
    if (lstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size > HF_LIMIT_RUN_FILE_BYTES || !g_file_get_contents(file, &data, &size, NULL))
        return TRUE;
    gboolean added = zip_writer_add(zip, name, data, size, error);
    g_free(data);
    return added;
}

/* Gives identical pictures one name, and drops names that we did not choose. */
static void join_pictures(json_t *steps, GHashTable *files)
{
    static const char *const names[] = {"before", "after"};
    g_autoptr(GHashTable) by_hash = g_hash_table_new(g_str_hash, g_str_equal);
    hf_json_each (step, steps)
        for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
            json_t *picture = json_object_get(json_object_get(step, "pictures"), names[i]);
            const char *file = hf_json_string(picture, "file", NULL);
            const char *hash = hf_json_string(picture, "sha256", NULL);
            if (!file || !hash)
                continue;
            g_autofree char *base = g_path_get_basename(file);
            g_autofree char *plain = g_strconcat("screenshots/", base, NULL);
            if (!g_str_equal(plain, file) || base[0] == '.') {
                json_object_del(picture, "file");
                continue;
            }
            const char *first = g_hash_table_lookup(by_hash, hash);
            if (first) {
                json_object_set_new(picture, "file", json_string(first));
                continue;
            }
            char *kept = g_strdup(file);
            g_hash_table_add(files, kept);
            g_hash_table_insert(by_hash, (gpointer)hash, kept);
        }
}

/* Adds to each step its last audit row. */
static void join_audit(json_t *steps, const json_t *rows)
{
    g_autoptr(GHashTable) by_step = g_hash_table_new(g_str_hash, g_str_equal);
    hf_json_each (row, rows)
        g_hash_table_insert(by_step, (gpointer)hf_json_string(row, "step", ""), row);
    hf_json_each (step, steps) {
        const json_t *row = g_hash_table_lookup(by_step, hf_json_string(step, "step_id", ""));
        if (row)
            json_object_set_new(step, "audit",
                                json_pack("{s:I, s:s, s:s}", "seq", hf_json_int(row, "seq", 0),
                                          "hash", hf_json_string(row, "hash", ""), "evidence",
                                          hf_json_string(row, "evidence", "")));
    }
}

static void mark_looks(json_t *steps, const json_t *tools)
{
    hf_json_each (step, steps) {
        const json_t *tool = json_object_get(tools, hf_json_string(step, "tool", ""));
        if (hf_json_bool(tool, "read_only", FALSE))
            json_object_set_new(step, "read_only", json_true());
    }
}

static gboolean add_run_page(HfZipWriter *zip, const HfRunExport *wanted, json_t *steps,
                             GError **error)
{
    g_autoptr(json_t) environment = hf_run_read_object(wanted->path, "env.json");
    g_autoptr(json_t) data = json_pack(
        "{s:s, s:s, s:O, s:O}", "run_id", hf_json_string(json_array_get(steps, 0), "run_id", "?"),
        "version", HF_VERSION, "environment", environment, "steps", steps);
    g_autofree char *page = hf_run_page_new(data);
    return zip_writer_add(zip, "index.html", page, strlen(page), error);
}

static gboolean add_audit(HfZipWriter *zip, const json_t *rows, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hf_json_each (row, rows) {
        g_autofree char *line = hf_json_dump(row);
        g_string_append_printf(text, "%s\n", line);
    }
    return text->len == 0 || zip_writer_add(zip, "audit.jsonl", text->str, text->len, error);
}

static gboolean add_whole_run(HfZipWriter *zip, const HfRunExport *wanted, GError **error)
{
    static const char *const names[] = {"summary.md", "env.json", "steps.jsonl"};
    g_autoptr(json_t) steps = hf_run_read_lines(wanted->path, "steps.jsonl");
    g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (json_array_size(steps) == 0)
        return hf_fail(error, HF_ERROR_RUN_NOT_FOUND, "the run has no steps to show");
    join_pictures(steps, files);
    join_audit(steps, wanted->audit);
    mark_looks(steps, wanted->tools);
    if (!add_run_page(zip, wanted, steps, error) || !add_audit(zip, wanted->audit, error))
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (!add_run_file(zip, wanted->path, names[i], error))
            return FALSE;
    GHashTableIter iter;
    gpointer file;
    g_hash_table_iter_init(&iter, files);
    while (g_hash_table_iter_next(&iter, &file, NULL))
        if (!add_run_file(zip, wanted->path, file, error))
            return FALSE;
    return TRUE;
}

gboolean hf_run_export(const HfRunExport *wanted, GError **error)
{
    g_autofree char *part = g_strconcat(wanted->output, ".part", NULL);
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", part,
                       g_strerror(errno));
    HfZipWriter *zip = zip_writer_new(fd, error);
    gboolean written = zip && add_whole_run(zip, wanted, error) && zip_writer_finish(zip, error);
    zip_writer_free(zip);
    close(fd);
    if (written && rename(part, wanted->output) != 0)
        written = hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", wanted->output,
                          g_strerror(errno));
    if (!written)
        unlink(part);
    return written;
}
