/* SPDX-License-Identifier: Apache-2.0 */
/* The approval policies that a project can start from: data/templates.json. */
#pragma once

#include <jansson.h>

/* {names, about, mode, risk_policies, tainted}, by its English or Chinese name. Borrowed; NULL when
 * there is no such template. */
const json_t *hf_approval_template_find(const char *name);
/* All of them, by their English names. */
const json_t *hf_approval_templates(void);
