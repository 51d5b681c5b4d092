/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the evidence of runs: for listings and for the page that shows one. Works on files alone,
 * with or without a desk. Lines that are no JSON (a disk that was full) are passed over. */
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

/* FALSE when there is no evidence in that folder. */
gboolean hf_run_summarize(const char *path, HfRunSummary *ret_summary);
void hf_run_summary_clear(HfRunSummary *summary);

/* Array of {run, when, caller, steps, failures, bytes, path}, the latest first. */
json_t *hf_runs_list(const char *root);
/* The folder of a run by its id or its folder's name; NULL with an error that says what there is.
 */
char *hf_runs_find(const char *root, const char *run, GError **error);

/* Every line of a file of the run, as an array; empty when there is none. Each object gets
 * "line_sha256". */
json_t *hf_run_read_lines(const char *path, const char *name);
/* A JSON file of the run; an empty object when there is none. */
json_t *hf_run_read_object(const char *path, const char *name);
