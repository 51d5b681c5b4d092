/* SPDX-License-Identifier: Apache-2.0 */
/* config.json and policy.json on the disk: read with suspicion, written whole or not at all. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The document as it is written, an object; JSON null (also owned) when there is no file. NULL with
 * CONFIG_INVALID when it is not a plain file of a user that is trusted, too large, or no JSON. */
json_t *hf_config_file_read(const char *path, GError **error);
/* The same for text that is already here; `name` is for messages. */
json_t *hf_config_text_read(const char *text, gsize size, const char *name, GError **error);
/* Replaces the file, 0600; a reader sees the old or the new one, whatever happens. Makes the
 * directory when missing. */
gboolean hf_config_file_write(const char *path, const json_t *document, GError **error);
