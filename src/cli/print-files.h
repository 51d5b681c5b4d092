/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the results of the file tools as file commands in a terminal do. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The content of a file unchanged, names one per line, matches as grep prints them. Remarks go to
 * standard error. FALSE: the result is none of these. */
gboolean hf_print_file_result(const json_t *result);
