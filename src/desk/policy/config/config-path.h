/* SPDX-License-Identifier: Apache-2.0 */
/* Dotted paths into a document: "security.permission_level", "clients.\"python3.11\".level". */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/base/types.h"

/* The names in a path, ended by NULL; or NULL with INVALID_PARAMS when it is malformed. */
char **hf_config_path_split(const char *path, GError **error);
char *hf_config_path_join(const char *prefix, const char *name);

/* Borrowed; NULL when there is no value. */
json_t *hf_config_path_get(const json_t *document, const char *const *names);
/* Sets the value and creates the objects on the way; NULL removes it. FALSE when a non-object is in
 * the way. */
gboolean hf_config_path_set(json_t *document, const char *const *names, json_t *take_value);

/* The schema of the field; NULL when there is no such field. */
const HfParam *hf_config_path_describe(const char *const *names);
