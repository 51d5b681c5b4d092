/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts pages may come from: the lists in the walls of a call (desk/guard/steps/risk.c). */
#pragma once

#include "shared/base/json.h"

typedef struct HfPagePolicy HfPagePolicy;

/* From {"allowed": [[glob]], "blocked": [glob]}; NULL: every host. */
HfPagePolicy *hf_page_policy_new(const json_t *domains);
/* From the owner's lists (shared/network/host-policy.h). */
HfPagePolicy *hf_page_policy_new_from_config(const json_t *lists);
void hf_page_policy_free(HfPagePolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPagePolicy, hf_page_policy_free)
HfPagePolicy *hf_page_policy_dup(const HfPagePolicy *policy);
gboolean hf_page_policy_equal(const HfPagePolicy *one, const HfPagePolicy *other);

/* FORBIDDEN, with the list that says so. Every allowed list has to have a pattern for the host. */
gboolean hf_page_policy_check_host(const HfPagePolicy *policy, const char *host, GError **error);
/* Addresses that a caller may open: http and https of such a host, about:blank, and data: if no
 * list limits the hosts. INVALID_PARAMS for an invalid address. */
gboolean hf_page_policy_check_address(const HfPagePolicy *policy, const char *url, GError **error);
/* Addresses that may be read and acted on where a page is already: also the browser's error pages,
 * and blob: URLs that a page of such a host has made. */
gboolean hf_page_policy_check_page(const HfPagePolicy *policy, const char *url, GError **error);
