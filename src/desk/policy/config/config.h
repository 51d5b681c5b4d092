/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration at one moment: config.json, checked, with the administrator's policy.json on
 * top and defaults filled in. Immutable: share it freely. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfConfig HfConfig;

/* From the owner's document and the administrator's (NULL: none; `policy_path` is for messages).
 * CONFIG_INVALID names the field and what was expected. */
HfConfig *hf_config_new(const json_t *document, const json_t *policy, const char *policy_path,
                        GError **error);
HfConfig *hf_config_new_default(void);
/* From files; a missing file counts as empty. */
HfConfig *hf_config_load(const char *path, const char *policy_path, GError **error);
HfConfig *hf_config_ref(HfConfig *config);
void hf_config_unref(HfConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfConfig, hf_config_unref)

/* By dotted path, borrowed. NULL for an unset field without a default. */
const json_t *hf_config_get(const HfConfig *config, const char *path);
/* Values of known fields; "", 0 or FALSE for an unset field without a default. */
const char *hf_config_string(const HfConfig *config, const char *path);
gint64 hf_config_int(const HfConfig *config, const char *path);
double hf_config_number(const HfConfig *config, const char *path);
gboolean hf_config_bool(const HfConfig *config, const char *path);
/* A member of a map ("clients", "projects.items") by any name; or NULL. */
const json_t *hf_config_find(const HfConfig *config, const char *map, const char *name);

/* The approval policy of a project (NULL or unknown: the default): its template with the project's
 * own settings. Owned: {mode, risk_policies{low, medium, high, critical}, category_overrides,
 * tool_overrides, tainted, confirm[]}; no member is missing. */
json_t *hf_config_dup_approval(const HfConfig *config, const char *project);

/* The whole document, borrowed. */
const json_t *hf_config_document(const HfConfig *config);
/* Hex SHA-256 of the document in canonical form. */
const char *hf_config_get_hash(const HfConfig *config);
/* Paths of the fields that the administrator has set, as an array of strings. Borrowed. */
const json_t *hf_config_get_locked(const HfConfig *config);
