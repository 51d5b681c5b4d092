/* SPDX-License-Identifier: Apache-2.0 */
/* privacy.blur: what pictures must not show. The lists of the administrator and the owner add up:
 * neither can remove an entry of the other. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Checks what the schema cannot say. CONFIG_INVALID names the entry, and `file` unless that is
 * NULL. */
gboolean hf_config_privacy_check(const json_t *document, const char *file, GError **error);
/* Removes the list from the administrator's document, so that it does not lock the field. Owned;
 * may be NULL. */
json_t *hf_config_privacy_steal_list(json_t *policy);
/* Prepends a list to that of the document, without duplicates. */
void hf_config_privacy_add_list(json_t *document, const json_t *list);
/* The entries for one desktop. Owned; NULL: none. */
json_t *hf_config_privacy_list_for(const json_t *blur, const char *desktop);
