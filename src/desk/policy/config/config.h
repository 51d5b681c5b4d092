/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's agreement at one moment: the whole of config.json, checked, with the administrator's
 * policy on top and a value for every field that has a default. Never changes; share it freely. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfConfig HfConfig;

/* From a document as the owner wrote it, and the administrator's (NULL: none; `policy_path` names
 * it in messages). CONFIG_INVALID names the field's path and what was expected. */
HfConfig *hf_config_new(const json_t *document, const json_t *policy, const char *policy_path,
                        GError **error);
HfConfig *hf_config_new_default(void);
/* From files; one that is not there is empty. */
HfConfig *hf_config_load(const char *path, const char *policy_path, GError **error);
HfConfig *hf_config_ref(HfConfig *config);
void hf_config_unref(HfConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfConfig, hf_config_unref)

/* By dotted path, borrowed. NULL for a field without default that nobody set. */
const json_t *hf_config_get(const HfConfig *config, const char *path);
/* Values of described fields; "", 0 or FALSE for one without default that nobody set. */
const char *hf_config_string(const HfConfig *config, const char *path);
gint64 hf_config_int(const HfConfig *config, const char *path);
double hf_config_number(const HfConfig *config, const char *path);
gboolean hf_config_bool(const HfConfig *config, const char *path);
/* A member of a map ("clients", "projects.items") by its name, which may be anything; or NULL. */
const json_t *hf_config_find(const HfConfig *config, const char *map, const char *name);

/* The approval policy of a project (NULL or unknown: of none): its template with what the project
 * says otherwise. Owned: {mode, risk_policies{low, medium, high, critical}, category_overrides,
 * tool_overrides, tainted, confirm[]}; all members are there. */
json_t *hf_config_dup_approval(const HfConfig *config, const char *project);

/* The whole document, borrowed. */
const json_t *hf_config_document(const HfConfig *config);
/* Hex SHA-256 of the document in canonical form: which agreement held. */
const char *hf_config_get_hash(const HfConfig *config);
/* Paths of the fields that the administrator has decided, as an array of strings. Borrowed. */
const json_t *hf_config_get_locked(const HfConfig *config);
