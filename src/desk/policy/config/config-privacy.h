/* SPDX-License-Identifier: Apache-2.0 */
/* privacy.blur: what no picture shows. The administrator's list and the owner's hold together:
 * neither can take anything out of the other. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* What the descriptions of the fields cannot say. CONFIG_INVALID names the entry, and the file
 * unless that is NULL. */
gboolean hf_config_privacy_check(const json_t *document, const char *file, GError **error);
/* Takes the list out of the administrator's document, so that it locks nothing. Owned; may be NULL.
 */
json_t *hf_config_privacy_steal_list(json_t *policy);
/* Puts a list before that of the document; what is in both is there once. */
void hf_config_privacy_add_list(json_t *document, const json_t *list);
/* What of it holds on a desktop. Owned; NULL: nothing. */
json_t *hf_config_privacy_list_for(const json_t *blur, const char *desktop);
