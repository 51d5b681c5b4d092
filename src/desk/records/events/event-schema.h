/* SPDX-License-Identifier: Apache-2.0 */
/* What each event can say: part of what listeners rely on. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Whether every member of the data is one that is described. */
gboolean hf_event_schema_fits(const char *type, const json_t *data, const char **ret_wrong);
/* {type: [members]}. */
json_t *hf_event_schema_describe(void);
