/* SPDX-License-Identifier: Apache-2.0 */
/* Risk rules as data: the built-in ones, with the owner's on top. Pure and offline: the desk
 * judges calls with them, and the command line explains them. */
#pragma once

#include "shared/base/json.h"
#include "shared/shell-parser/shell-script.h"
#include "shared/tool/tool.h"

typedef struct HfRule HfRule;
typedef struct HfRules HfRules; /* immutable, reference-counted */

/* The built-in rules with `owners` (an object, or NULL) on top. INVALID_PARAMS with the field's
 * path when it is invalid, also when it makes a rule less strict that may not be. */
HfRules *hf_rules_new(const json_t *owners, GError **error);
/* The same with the owner's file at `path`, which need not exist, and `more` rules (an array, or
 * NULL) that the owner has written elsewhere. */
HfRules *hf_rules_load(const char *path, const json_t *more, GError **error);
HfRules *hf_rules_ref(HfRules *rules);
void hf_rules_unref(HfRules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRules, hf_rules_unref)
/* $XDG_CONFIG_HOME/handfast/rules.json */
char *hf_rules_dup_path(void);
/* Every rule: {id, looks_at, risk, off, ask_always, overridable, owner, message, message_zh}. */
json_t *hf_rules_describe(const HfRules *rules);

/* What the rules say about a call; start with {0}. */
typedef struct HfRiskAssessment {
    gboolean certain_only; /* set by the caller: guesses do not count, since it may be prose */
    HfRisk risk;
    json_t *rules;       /* array of {id, message, message_zh, risk, what}; NULL: none */
    const char *block;   /* id of the rule that forbids it; NULL: none */
    const char *message; /* of that rule */
    gboolean app;        /* that rule is about an application */
    gboolean ask_always;
} HfRiskAssessment;

void hf_risk_assessment_clear(HfRiskAssessment *assessment);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRiskAssessment, hf_risk_assessment_clear)

void hf_rules_assess_script(const HfRules *rules, const HfScript *script,
                            HfRiskAssessment *assessment);
void hf_rules_assess_command(const HfRules *rules, const char *text, HfRiskAssessment *assessment);
void hf_rules_assess_arguments(const HfRules *rules, const char *const *arguments,
                               HfRiskAssessment *assessment);
/* The same when the content of the script at `path`, which the program runs, is known. */
void hf_rules_assess_file(const HfRules *rules, const char *const *arguments, const char *path,
                          const char *content, HfRiskAssessment *assessment);
/* Names of keys that are pressed together, in any spelling that the key tools accept. */
void hf_rules_assess_keys(const HfRules *rules, const char *const *names,
                          HfRiskAssessment *assessment);
void hf_rules_assess_text(const HfRules *rules, const char *text, HfRiskAssessment *assessment);
void hf_rules_assess_path(const HfRules *rules, const char *path, gboolean writes,
                          HfRiskAssessment *assessment);
void hf_rules_assess_url(const HfRules *rules, const char *url, HfRiskAssessment *assessment);
void hf_rules_assess_app(const HfRules *rules, const char *name, HfRiskAssessment *assessment);

/* The application rules that block, for the hand: [{id, message, apps, titles}]. */
json_t *hf_rules_fence(const HfRules *rules);
