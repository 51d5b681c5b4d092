/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a caller's selector into a query for data/page.js. */
#pragma once

#include "shared/base/json.h"

/* {"ref": N} for r12; {"role", "name", "exact"} for role=button[name="Save"] and button "Save";
 * {"text", "exact"} for text=Save, text="Save" and "Save"; else {"css"}, with "or_text" if it could
 * also be visible text. NULL with INVALID_PARAMS. */
json_t *hf_page_query_parse(const char *selector, GError **error);
