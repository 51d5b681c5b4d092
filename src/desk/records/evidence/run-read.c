/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of a run as JSON. Ignores files that are larger than any we write. */
#include "desk/records/evidence/run-read.h"

#include <string.h>

#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-prune.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"

static char *read_run_file(const char *path, const char *name, gsize *ret_size)
{
    g_autofree char *file = g_build_filename(path, name, NULL);
    char *text = NULL;
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(file, FALSE, NULL);
    if (!mapped || g_mapped_file_get_length(mapped) > HF_LIMIT_RUN_FILE_BYTES)
        return NULL;
    *ret_size = g_mapped_file_get_length(mapped);
    text = g_malloc(*ret_size + 1);
    if (*ret_size > 0)
        memcpy(text, g_mapped_file_get_contents(mapped), *ret_size);
    text[*ret_size] = 0;
    return text;
}

json_t *hf_run_read_lines(const char *path, const char *name)
{
    gsize size = 0;
    g_autofree char *text = read_run_file(path, name, &size);
    json_t *lines = json_array();
    const char *end;
    for (const char *at = text; at && (end = memchr(at, '\n', size - (gsize)(at - text)));
         at = end + 1) {
        json_t *line = json_loadb(at, (gsize)(end - at), 0, NULL);
        if (!json_is_object(line)) {
            json_decref(line);
            continue;
        }
        g_autofree char *hash =
            g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)at, (gsize)(end - at));
        json_object_set_new(line, "line_sha256", json_string(hash));
        json_array_append_new(lines, line);
    }
    return lines;
}

json_t *hf_run_read_object(const char *path, const char *name)
{
    gsize size = 0;
    g_autofree char *text = read_run_file(path, name, &size);
    json_t *json = text ? json_loadb(text, size, 0, NULL) : NULL;
    if (json_is_object(json))
        return json;
    json_decref(json);
    return json_object();
}

gboolean hf_run_summarize(const char *path, HfRunSummary *ret_summary)
{
    g_autoptr(json_t) lines = hf_run_read_lines(path, "steps.jsonl");
    *ret_summary = (HfRunSummary){0};
    hf_json_each (line, lines) {
        gint64 time = hf_json_int(line, "time", 0);
        ret_summary->first_ms = ret_summary->first_ms ? ret_summary->first_ms : time;
        ret_summary->last_ms = time;
        ret_summary->failures += !hf_json_bool(line, "ok", TRUE);
        ret_summary->steps++;
    }
    const json_t *first = json_array_get(lines, 0);
    if (!first)
        return FALSE;
    ret_summary->run_id = g_strdup(hf_json_string(first, "run_id", ""));
    ret_summary->caller =
        g_strdup(hf_json_string(json_object_get(first, "caller"), "name", "unknown"));
    ret_summary->bytes = hf_run_measure(path);
    return TRUE;
}

void hf_run_summary_clear(HfRunSummary *summary)
{
    g_free(summary->run_id);
    g_free(summary->caller);
}

/* Calls `each` with the folder of every run. */
static void visit_runs(const char *root, void (*each)(const char *path, gpointer data),
                       gpointer data)
{
    g_autoptr(GDir) days = g_dir_open(root, 0, NULL);
    const char *day, *name;
    while (days && (day = g_dir_read_name(days))) {
        g_autofree char *above = g_build_filename(root, day, NULL);
        g_autoptr(GDir) runs = hf_run_is_day(day) ? g_dir_open(above, 0, NULL) : NULL;
        while (runs && (name = g_dir_read_name(runs))) {
            g_autofree char *path = g_build_filename(above, name, NULL);
            each(path, data);
        }
    }
}

static void add_run_summary(const char *path, gpointer list)
{
    HfRunSummary summary;
    if (!hf_run_summarize(path, &summary))
        return;
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(summary.first_ms / 1000);
    g_autofree char *when = g_date_time_format(time, "%Y-%m-%d %H:%M:%S");
    json_array_append_new(list, json_pack("{s:o, s:s, s:I, s:I, s:o, s:i, s:i, s:I, s:o}", "run",
                                          hf_json_text(summary.run_id), "when", when, "began_ms",
                                          (json_int_t)summary.first_ms, "last_ms",
                                          (json_int_t)summary.last_ms, "caller",
                                          hf_json_text(summary.caller), "steps", (int)summary.steps,
                                          "failures", (int)summary.failures, "bytes",
                                          (json_int_t)summary.bytes, "path", hf_json_text(path)));
    hf_run_summary_clear(&summary);
}

static int latest_first(gconstpointer a, gconstpointer b)
{
    json_int_t left = hf_json_int(*(json_t *const *)a, "last_ms", 0);
    json_int_t right = hf_json_int(*(json_t *const *)b, "last_ms", 0);
    return left < right ? 1 : left > right ? -1 : 0;
}

json_t *hf_runs_list(const char *root)
{
    g_autoptr(json_t) found = json_array();
    visit_runs(root, add_run_summary, found);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    for (size_t i = 0; i < json_array_size(found); i++)
        g_ptr_array_add(order, json_array_get(found, i));
    g_ptr_array_sort(order, latest_first);
    json_t *list = json_array();
    for (guint i = 0; i < order->len; i++)
        json_array_append(list, order->pdata[i]);
    return list;
}

typedef struct Search {
    const char *name;
    char *path; /* of the latest day */
} Search;

static void match_run(const char *path, gpointer data)
{
    Search *search = data;
    g_autofree char *name = g_path_get_basename(path);
    if (!g_str_equal(name, search->name) || g_strcmp0(path, search->path) <= 0)
        return;
    g_free(search->path);
    search->path = g_strdup(path);
}

char *hf_runs_find(const char *root, const char *run, GError **error)
{
    g_autofree char *name = hf_run_dup_name(run);
    Search search = {name, NULL};
    visit_runs(root, match_run, &search);
    if (!search.path && !strchr(run, '/')) {
        search.name = run;
        visit_runs(root, match_run, &search);
    }
    if (!search.path) {
        hf_fail(error, HF_ERROR_RUN_NOT_FOUND,
                "there is no evidence of a run '%s'; see: handfast runs", run);
        return NULL;
    }
    return search.path;
}
