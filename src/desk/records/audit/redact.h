/* SPDX-License-Identifier: Apache-2.0 */
/* What may be written down of a call: no secrets, nothing of unbounded size. By rule: parameters
 * that are declared secret, members named like one, and what looks like a password, token or key
 * in a command, an address, a header or a message. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/tool/param.h"

/* The text with its secrets replaced by "[redacted]"; at most `limit` bytes and a mark. */
char *hf_redact_text(const char *text, gsize limit);

/* Parameters by their table, and others by their type and size alone: what has no description may
 * mean anything. A NULL table describes nothing. Owned. */
json_t *hf_redact_params(const HfParam *table, const json_t *params);
/* The same rules for any other value (details of an error, data of an event). Owned. */
json_t *hf_redact_value(const json_t *value);

/* A copy of the same form whose texts are without secrets, also without the call's own. */
json_t *hf_redact_strings(const json_t *value, const HfParam *table, const json_t *params);

/* Also takes out what the call's own secret parameters say, should somebody repeat it. */
char *hf_redact_echo(const char *text, const HfParam *table, const json_t *params);
json_t *hf_redact_value_echo(const json_t *value, const HfParam *table, const json_t *params);
