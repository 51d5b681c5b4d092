/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file, one at a time, none longer than a limit. */
#pragma once

#include <glib.h>
#include <stdio.h>

#define HF_AUDIT_LINE_BYTES (1024u * 1024)

/* The next line without its end, in `line`. FALSE at the end, or with an error when a line is too
 * long or cannot be read. */
gboolean hf_audit_read_line(FILE *file, GString *line, GError **error);
