/* SPDX-License-Identifier: Apache-2.0 */
/* What the file tools return, as one who works with files in a terminal knows it. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The content of a file as it is, names one a line, matches as grep prints them. What else there is
 * to say goes to standard error. FALSE: it is none of these. */
gboolean hf_print_file_result(const json_t *result);
