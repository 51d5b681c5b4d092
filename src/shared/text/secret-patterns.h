/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises and removes secrets in texts. */
#pragma once

#include <glib.h>

#define HF_REDACTED "[redacted]"

/* The text with everything that looks like a secret replaced. Owned. */
char *hf_secret_patterns_redact(const char *text);
/* The same for keys and tokens with a known form only: for texts in which a word like "password"
 * means nothing, such as source code. Owned. */
char *hf_secret_patterns_redact_tokens(const char *text);
/* The secrets in a text (char), without their quotes, the longest first. */
GPtrArray *hf_secret_patterns_find(const char *text);
/* A part of that text, such as one command of a line, without them: the part alone may not show
 * what is secret. Owned. */
char *hf_secret_patterns_redact_part(const char *part, const GPtrArray *secrets);
/* Whether a member or parameter of this name is a secret. */
gboolean hf_secret_patterns_match_name(const char *name);
