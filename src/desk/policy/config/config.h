/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration at one moment: config.json, checked, with the administrator's policy.json on
 * top and defaults filled in. Immutable: share it freely. */
#pragma once

#include "shared/base/types.h"

#include <glib.h>
#include <jansson.h>

typedef struct HfConfig HfConfig;

/* From the owner's document and the administrator's (NULL: none; `policy_path` is for messages).
 * CONFIG_INVALID names the field and what was expected. */
HfConfig *hf_config_new(const json_t *document, const json_t *policy, const char *policy_path,
                        GError **error);
HfConfig *hf_config_new_default(void);
/* As `config`, with another complete document. */
HfConfig *hf_config_new_changed(const HfConfig *config, json_t *take_document);
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
/* The same for the template `strict`. */
json_t *hf_config_dup_strict_approval(void);

/* The whole document, borrowed. */
const json_t *hf_config_document(const HfConfig *config);
/* Hex SHA-256 of the document in canonical form. */
const char *hf_config_get_hash(const HfConfig *config);
/* Paths of the fields that the administrator has set, as an array of strings. Borrowed. */
const json_t *hf_config_get_locked(const HfConfig *config);

/* ---- parts of it ---- */

/* privacy.blur: what pictures must not show. The lists of the administrator and the owner add up:
 * neither can remove an entry of the other. Checks what the schema cannot say. CONFIG_INVALID names
 * the entry, and `file` unless that is NULL. */
gboolean hf_config_privacy_check(const json_t *document, const char *file, GError **error);
/* Removes the list from the administrator's document, so that it does not lock the field. Owned;
 * may be NULL. */
json_t *hf_config_privacy_steal_list(json_t *policy);
/* Prepends a list to that of the document, without duplicates. */
void hf_config_privacy_add_list(json_t *document, const json_t *list);
/* The entries for one desktop. Owned; NULL: none. */
json_t *hf_config_privacy_list_for(const json_t *blur, const char *desktop);

/* Dotted paths into a document: "security.permission_level", "clients.\"python3.11\".level". The
 * names in a path, ended by NULL; or NULL with INVALID_PARAMS when it is malformed. */
char **hf_config_path_split(const char *path, GError **error);
char *hf_config_path_join(const char *prefix, const char *name);

/* Borrowed; NULL when there is no value. */
json_t *hf_config_path_get(const json_t *document, const char *const *names);
/* Sets the value and creates the objects on the way; NULL removes it. FALSE when a non-object is in
 * the way. */
gboolean hf_config_path_set(json_t *document, const char *const *names, json_t *take_value);

/* The schema of the field; NULL when there is no such field. */
const HfParam *hf_config_path_describe(const char *const *names);

/* The approval policies that a project can start from (data/templates.json): {names, about, mode,
 * risk_policies, tainted}, by its English or Chinese name. Borrowed; NULL when there is no such
 * template. */
const json_t *hf_approval_template_find(const char *name);
/* All of them, by their English names. */
const json_t *hf_approval_templates(void);
