/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures in an answer: written to a file, and not shown as base64. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Takes the picture out of the result, writes it to `output` ("-": standard output, NULL: a new
 * file named after the tool and the time) and puts "file" and "bytes" in its place. Does nothing
 * when the result has none. */
gboolean hf_picture_file_save(json_t *result, const char *tool, const char *output, GError **error);
