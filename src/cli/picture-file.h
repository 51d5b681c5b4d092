/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures in an answer go to a file; they are not printed as base64. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Takes the picture out of the result, writes it to `output` ("-": standard output, NULL: a new
 * file named after the tool and the time) and adds "file" and "bytes" instead. Does nothing when
 * the result has no picture. */
gboolean hf_picture_file_save(json_t *result, const char *tool, const char *output, GError **error);
