/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller says of an element of a page, as data/page.js takes it. */
#pragma once

#include "shared/base/json.h"

/* {"ref": N} for r12; {"role", "name", "exact"} for role=button[name="Save"] and button "Save";
 * {"text", "exact"} for text=Save, text="Save" and "Save"; else {"css"}, and "or_text" where it
 * could as well be what stands on the element. NULL with INVALID_PARAMS. */
json_t *hf_page_query_parse(const char *selector, GError **error);
