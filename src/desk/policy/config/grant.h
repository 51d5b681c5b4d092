/* SPDX-License-Identifier: Apache-2.0 */
/* A grant: a set of tools with bounds, given to a caller. A grant derived from it can only be
 * narrower. Immutable. desk/records/store/grant-rows.h stores grants and counts their use. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

typedef struct HfGrant HfGrant;

/* The fields of a grant: tools, restrictions, approval_overrides. */
extern const HfParam hf_grant_fields[];

/* INVALID_PARAMS names the field and what was expected, also for an unknown tool or toolset. */
HfGrant *hf_grant_new(const json_t *document, GError **error);
void hf_grant_unref(HfGrant *grant);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfGrant, hf_grant_unref)

/* Whether the inner grant allows no more than the outer one; else FORBIDDEN names the field. */
gboolean hf_grant_contains(const HfGrant *outer, const HfGrant *inner, GError **error);
/* Derives a grant: what is wanted, and for the rest what the outer grant says. FORBIDDEN when that
 * exceeds the outer grant. */
HfGrant *hf_grant_shrink(const HfGrant *outer, const json_t *wanted, GError **error);

const json_t *hf_grant_document(const HfGrant *grant);
gboolean hf_grant_has_tool(const HfGrant *grant, const HfTool *tool);
/* A list of the restrictions: "allowed_directories", "allowed_domains", "allowed_apps". Borrowed;
 * NULL: not restricted. Members of allowed_apps are strings or {app, workspace}. */
const json_t *hf_grant_find_list(const HfGrant *grant, const char *name);
HfRisk hf_grant_max_risk(const HfGrant *grant);      /* CRITICAL when not restricted */
gint64 hf_grant_get_expiry_us(const HfGrant *grant); /* real time; 0: never */
gint64 hf_grant_get_max_calls(const HfGrant *grant); /* 0: any number */
/* {tool, category or *: action}, which can only tighten. Borrowed; may be NULL. */
const json_t *hf_grant_find_overrides(const HfGrant *grant);
