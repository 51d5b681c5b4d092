/* SPDX-License-Identifier: Apache-2.0 */
/* A run as one zip file that can be handed to somebody: the page, the pictures, and the files that
 * the page was made from. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfRunExport {
    const char *path;    /* the run's folder */
    const char *output;  /* the zip file; replaced when it is there */
    const json_t *tools; /* name → {"read_only": bool}: what the page tells apart */
    const json_t *audit; /* array of the run's rows in the audit, each with "hash"; may be empty */
} HfRunExport;

/* STORAGE_FAILED when it cannot be written; nothing is left then. */
gboolean hf_run_export(const HfRunExport *wanted, GError **error);
