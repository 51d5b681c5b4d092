/* SPDX-License-Identifier: Apache-2.0 */
/* Redaction: what may be stored about a call. Removed are parameters that are declared secret,
 * members with a secret-like name, and whatever looks like a password, token or key in a command,
 * URL, header or message. Everything is bounded in size. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/tool/param.h"

/* The text with its secrets replaced by "[redacted]"; at most `limit` bytes and a mark. */
char *hf_redact_text(const char *text, gsize limit);

/* Parameters by their table. Undescribed ones may hold anything, so only their type and size are
 * kept. A NULL table describes nothing. Owned. */
json_t *hf_redact_params(const HfParam *table, const json_t *params);
/* The same rules for any other value (details of an error, data of an event). Owned. */
json_t *hf_redact_value(const json_t *value);

/* A copy of the same shape, its texts without secrets, including the call's own. */
json_t *hf_redact_strings(const json_t *value, const HfParam *table, const json_t *params);

/* Also removes the values of the call's own secret parameters, in case a text repeats them. */
char *hf_redact_echo(const char *text, const HfParam *table, const json_t *params);
json_t *hf_redact_value_echo(const json_t *value, const HfParam *table, const json_t *params);
