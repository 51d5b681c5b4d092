/* What secrets look like. */
#pragma once

#include <glib.h>

#define HF_REDACTED "[redacted]"

/* The text with all that looks like a secret replaced. Owned. */
char *hf_redact_patterns(const char *text);
/* The same for keys and tokens that are known by their form alone: for texts in which a word like
 * "password" says nothing, as in the source of a program. Owned. */
char *hf_redact_forms(const char *text);
/* Whether a member or parameter of this name is a secret by its name. */
gboolean hf_redact_is_secret_name(const char *name);
