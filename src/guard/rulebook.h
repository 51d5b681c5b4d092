/* The rules that calls are weighed by: the shipped ones, the owner's rules.json, and what
 * config.json names as blocked or dangerous. Followed while the desk runs; a file that cannot be
 * used changes nothing. */
#pragma once

#include "config/config.h"
#include "rules/rules.h"

typedef struct HfRulebook HfRulebook;

/* Fails when the rules that there are cannot be used. */
HfRulebook *hf_rulebook_new(HfConfig *config, GError **error);
void hf_rulebook_free(HfRulebook *book);
/* A new reference to the rules of this moment under `config`. `ret_problem` (may be set, to be
 * freed): why a newer file is not used, told once. */
HfRules *hf_rulebook_get(HfRulebook *book, HfConfig *config, GError **ret_problem);
/* What the hand must not touch under these rules, as JSON text; free with g_free. */
char *hf_rulebook_dup_fence(HfRulebook *book);
