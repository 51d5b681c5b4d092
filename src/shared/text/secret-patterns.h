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
/* Whether a member or parameter of this name is a secret. */
gboolean hf_secret_patterns_match_name(const char *name);
