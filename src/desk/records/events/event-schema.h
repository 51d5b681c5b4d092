/* SPDX-License-Identifier: Apache-2.0 */
/* The members of each event, which listeners rely on. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Whether the schema has every member of the data. */
gboolean hf_event_schema_fits(const char *type, const json_t *data, const char **ret_wrong);
/* {type: [members]}. */
json_t *hf_event_schema_describe(void);
