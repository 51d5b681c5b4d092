/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes config.json and policy.json. A file that another user could have changed is
 * refused. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The document, an object; JSON null (also owned) when there is no file. NULL with CONFIG_INVALID
 * when it is not a regular file of a trusted user, too large, or not JSON. */
json_t *hf_config_file_read(const char *path, GError **error);
/* The same for text; `name` is for messages. */
json_t *hf_config_text_read(const char *text, gsize size, const char *name, GError **error);
/* Replaces the file atomically, 0600. Creates the directory. */
gboolean hf_config_file_write(const char *path, const json_t *document, GError **error);
