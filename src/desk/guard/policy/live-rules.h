/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that calls are weighed by: the shipped ones, the owner's rules.json, and what
 * config.json names as blocked or dangerous. Followed while the desk runs; a file that cannot be
 * used changes nothing. */
#pragma once

#include "desk/policy/config/config.h"
#include "shared/rules/rules.h"

typedef struct HfLiveRules HfLiveRules;

/* Fails when the rules that there are cannot be used. */
HfLiveRules *hf_live_rules_new(HfConfig *config, GError **error);
void hf_live_rules_free(HfLiveRules *book);
/* A new reference to the rules of this moment under `config`. `ret_problem` (may be set, to be
 * freed): why a newer file is not used, told once. */
HfRules *hf_live_rules_get(HfLiveRules *book, HfConfig *config, GError **ret_problem);
/* What the hand must not touch under these rules, as JSON text; free with g_free. */
char *hf_live_rules_dup_fence(HfLiveRules *book);
