/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold secrets, known by where they are, and what may be told of what is in them. */
#pragma once

#include <glib.h>

#include "shared/tool/tool.h"

/* What the shipped rules say of reading the path; HF_RISK_NONE: nothing. */
HfRisk hf_secret_file_risk(const char *path);
/* Of such a file nothing that could be a secret is told. */
gboolean hf_secret_file_is(const char *path);

/* FORBIDDEN when links lead from a path that the rules let pass to one that they do not: they have
 * judged the call by the path that was asked for. */
gboolean hf_secret_file_check(const char *asked, const char *real, gboolean writes, GError **error);

/* The text without secrets: in a file that holds them without any value, in others without keys
 * and tokens that are known by their form. Owned. */
char *hf_secret_file_redact(const char *path, const char *text, gboolean *ret_redacted);
