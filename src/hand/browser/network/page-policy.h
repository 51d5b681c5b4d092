/* SPDX-License-Identifier: Apache-2.0 */
/* Where pages may come from: the lists of hosts in the walls of a call (desk/guard/policy/walls.h).
 */
#pragma once

#include "shared/base/json.h"

typedef struct HfPagePolicy HfPagePolicy;

/* From {"allowed": [[glob]], "blocked": [glob]}; NULL: every host. */
HfPagePolicy *hf_page_policy_new(const json_t *domains);
void hf_page_policy_free(HfPagePolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPagePolicy, hf_page_policy_free)
HfPagePolicy *hf_page_policy_dup(const HfPagePolicy *policy);
gboolean hf_page_policy_equal(const HfPagePolicy *one, const HfPagePolicy *other);

/* FORBIDDEN, with the list that says so. Every list must have a pattern that fits the host. */
gboolean hf_page_policy_check_host(const HfPagePolicy *policy, const char *host, GError **error);
/* What a caller may go to: http and https of such a host, about:blank, and data: while no list says
 * where pages may come from. INVALID_PARAMS for what is no address. */
gboolean hf_page_policy_check_address(const HfPagePolicy *policy, const char *url, GError **error);
/* What may be read and acted on where a page is already: also the browser's page about an error,
 * and what a page of such a host has made itself (blob:). */
gboolean hf_page_policy_check_page(const HfPagePolicy *policy, const char *url, GError **error);
