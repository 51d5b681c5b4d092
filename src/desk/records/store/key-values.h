/* SPDX-License-Identifier: Apache-2.0 */
/* Single values that survive a restart, by name: "stopped", ... They are JSON. */
#pragma once

#include "desk/records/store/store.h"

/* Owned; JSON null when there is none. NULL with an error when reading fails. */
json_t *hf_key_value_get(HfStore *store, const char *name, GError **error);
/* Durable when it returns TRUE. NULL removes it. */
gboolean hf_key_value_set(HfStore *store, const char *name, const json_t *value, GError **error);
