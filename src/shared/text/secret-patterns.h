/* SPDX-License-Identifier: Apache-2.0 */
/* What secrets look like. */
#pragma once

#include <glib.h>

#define HF_REDACTED "[redacted]"

/* The text with all that looks like a secret replaced. Owned. */
char *hf_secret_patterns_redact(const char *text);
/* The same for keys and tokens that are known by their form alone: for texts in which a word like
 * "password" says nothing, as in the source of a program. Owned. */
char *hf_secret_patterns_redact_tokens(const char *text);
/* Whether a member or parameter of this name is a secret by its name. */
gboolean hf_secret_patterns_match_name(const char *name);
