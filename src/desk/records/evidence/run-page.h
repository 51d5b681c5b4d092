/* SPDX-License-Identifier: Apache-2.0 */
/* The page that plays a run: one HTML file that needs no server and no network. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* `data` is {run_id, version, environment, steps: [...]}. Whatever texts are in it, they cannot
 * become anything but text on the page. */
char *hf_run_page_new(const json_t *data);
