/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts may be reached: the owner's lists of domains. */
#pragma once

#include "shared/base/json.h"

typedef struct HfHostPolicy HfHostPolicy;

typedef enum HfHostVerdict {
    HF_HOST_ALLOWED,
    HF_HOST_BLOCKED,    /* a pattern of the blocked hosts fits */
    HF_HOST_NOT_LISTED, /* no pattern of some list of allowed hosts fits */
} HfHostVerdict;

/* From {"allowed": [[glob]], "blocked": [glob]}; NULL: every host. Every list of allowed hosts has
 * to have a pattern for a host. */
HfHostPolicy *hf_host_policy_new(const json_t *domains);
/* From {"allowed": [glob], "blocked": [glob]}, as in the configuration: an empty list of allowed
 * hosts allows all. */
HfHostPolicy *hf_host_policy_new_from_config(const json_t *lists);
void hf_host_policy_free(HfHostPolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHostPolicy, hf_host_policy_free)
HfHostPolicy *hf_host_policy_dup(const HfHostPolicy *policy);
gboolean hf_host_policy_equal(const HfHostPolicy *one, const HfHostPolicy *other);
/* Whether a list says which hosts are allowed. */
gboolean hf_host_policy_has_allowed(const HfHostPolicy *policy);

HfHostVerdict hf_host_policy_judge(const HfHostPolicy *policy, const char *host);
/* Why a host is not allowed, for people: "it is on the list of blocked domains". */
const char *hf_host_verdict_reason(HfHostVerdict verdict);
/* The field of the configuration that says so. */
const char *hf_host_verdict_field(HfHostVerdict verdict);

/* One spelling per host: without a trailing dot, and addresses as 127.0.0.1, not as 127.1, 0x7f.1
 * or ::ffff:127.0.0.1. */
char *hf_host_dup_canonical(const char *host);
