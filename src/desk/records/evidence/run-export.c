/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to a temporary file, which replaces the wanted one when complete. Identical pictures are
 * stored once. */
#include "desk/records/evidence/run-export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/records/evidence/run-read.h"
#include "desk/records/evidence/zip-writer.h"
#include "desk/records/records-limits.h"
#include "shared/base/data.h"
#include "shared/base/error.h"

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
    gboolean added = hf_zip_writer_add(zip, name, data, size, error);
    g_free(data);
    return added;
}

/* Gives identical pictures one name, and drops names that we did not choose. */
static void join_pictures(json_t *steps, GHashTable *files)
{
    static const char *const names[] = {"before", "after"};
    g_autoptr(GHashTable) by_hash = g_hash_table_new(g_str_hash, g_str_equal);
    size_t index;
    json_t *step;
    json_array_foreach (steps, index, step)
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
    size_t index;
    json_t *row, *step;
    json_array_foreach (rows, index, row)
        g_hash_table_insert(by_step, (gpointer)hf_json_string(row, "step", ""), row);
    json_array_foreach (steps, index, step) {
        row = g_hash_table_lookup(by_step, hf_json_string(step, "step_id", ""));
        if (row)
            json_object_set_new(step, "audit",
                                json_pack("{s:I, s:s, s:s}", "seq", hf_json_int(row, "seq", 0),
                                          "hash", hf_json_string(row, "hash", ""), "evidence",
                                          hf_json_string(row, "evidence", "")));
    }
}

static void mark_looks(json_t *steps, const json_t *tools)
{
    size_t index;
    json_t *step;
    json_array_foreach (steps, index, step) {
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
    return hf_zip_writer_add(zip, "index.html", page, strlen(page), error);
}

static gboolean add_audit(HfZipWriter *zip, const json_t *rows, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    size_t index;
    json_t *row;
    json_array_foreach (rows, index, row) {
        g_autofree char *line = hf_json_dump(row);
        g_string_append_printf(text, "%s\n", line);
    }
    return text->len == 0 || hf_zip_writer_add(zip, "audit.jsonl", text->str, text->len, error);
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
    HfZipWriter *zip = hf_zip_writer_new(fd, error);
    gboolean written = zip && add_whole_run(zip, wanted, error) && hf_zip_writer_finish(zip, error);
    hf_zip_writer_free(zip);
    close(fd);
    if (written && rename(part, wanted->output) != 0)
        written = hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", wanted->output,
                          g_strerror(errno));
    if (!written)
        unlink(part);
    return written;
}
