/* SPDX-License-Identifier: Apache-2.0 */
/* The risk rules that hold now: the shipped ones, the owner's rules.json, and what config.json
 * lists as blocked or dangerous. Changed files are read again; a broken file changes nothing. */
#pragma once

#include "desk/policy/config/config.h"
#include "shared/rules/rules.h"

typedef struct HfLiveRules HfLiveRules;

/* Fails when the rules cannot be used. */
HfLiveRules *hf_live_rules_new(HfConfig *config, GError **error);
void hf_live_rules_free(HfLiveRules *live);
/* A new reference to the current rules under `config`. `ret_problem` is set, once, when a newer
 * file cannot be used. */
HfRules *hf_live_rules_get(HfLiveRules *live, HfConfig *config, GError **ret_problem);
/* What the hand must not touch, as JSON text; free with g_free. */
char *hf_live_rules_dup_fence(HfLiveRules *live);
