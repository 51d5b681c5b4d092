/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the evidence of runs, for lists and exports. Works on files alone, with or without a desk.
 * Skips lines that are not JSON (the disk was full). */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfRunSummary {
    char *run_id;
    char *caller;
    gint64 first_ms, last_ms;
    guint steps, failures;
    guint64 bytes;
} HfRunSummary;

/* FALSE when the folder has no evidence. */
gboolean hf_run_summarize(const char *path, HfRunSummary *ret_summary);
void hf_run_summary_clear(HfRunSummary *summary);

/* Array of {run, when, caller, steps, failures, bytes, path}, the latest first. */
json_t *hf_runs_list(const char *root);
/* The folder of a run, by its id or the folder's name; NULL with RUN_NOT_FOUND. */
char *hf_runs_find(const char *root, const char *run, GError **error);

/* The lines of a file of the run as an array; empty if it is missing. Each object gets
 * "line_sha256". */
json_t *hf_run_read_lines(const char *path, const char *name);
/* A JSON file of the run; an empty object if it is missing. */
json_t *hf_run_read_object(const char *path, const char *name);
