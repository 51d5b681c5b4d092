/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold secrets, recognized by their path, and what of their content may be shown. */
#pragma once

#include <glib.h>

/* Nothing in such a file that could be a secret is ever shown. */
gboolean hf_secret_file_is(const char *path);

/* FORBIDDEN if links lead from a path that the rules allow to one that they treat more strictly:
 * the desk judged the call by the path that was asked for. */
gboolean hf_secret_file_check(const char *asked, const char *real, gboolean writes, GError **error);

/* The text without secrets: a secret file loses all values, others only known forms of keys and
 * tokens. Owned. */
char *hf_secret_file_redact(const char *path, const char *text, gboolean *ret_redacted);
