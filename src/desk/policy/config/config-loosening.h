/* SPDX-License-Identifier: Apache-2.0 */
/* What a changed configuration would loosen. A program could have made the change, so loosening
 * waits until the owner accepts it; tightening holds at once. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* What takes effect when the files say `wanted` while `accepted` holds (both complete documents):
 * `wanted`, but every field that would loosen something keeps its accepted value, and of a list
 * that part which does not loosen. Owned. Adds {field, accepted?, wanted?} to `held` for each such
 * field. The fields in `free_fields` (an array of paths), and what is below them, are not held. */
json_t *hf_config_hold_loosening(const json_t *accepted, const json_t *wanted,
                                 const json_t *free_fields, json_t *held);

/* The document without the values that are defaults, so that a later version's defaults apply to
 * them. Owned. */
json_t *hf_config_dup_without_defaults(const json_t *document);
