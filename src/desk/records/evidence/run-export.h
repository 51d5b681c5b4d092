/* SPDX-License-Identifier: Apache-2.0 */
/* Exports a run as one zip file: the page, the pictures, and the files that the page was made from.
 */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfRunExport {
    const char *path;    /* the run's folder */
    const char *output;  /* the zip file; replaced if it exists */
    const json_t *tools; /* name → {"read_only": bool} */
    const json_t *audit; /* the run's audit rows, each with "hash"; may be empty */
} HfRunExport;

/* STORAGE_FAILED when it cannot be written; leaves no file then. */
gboolean hf_run_export(const HfRunExport *wanted, GError **error);

/* The page that replays a run: one HTML file without server or network. `data` is {run_id, version,
 * environment, steps: [...]}. Its texts can only ever become text on the page. */
char *hf_run_page_new(const json_t *data);
