/* SPDX-License-Identifier: Apache-2.0 */
/* Risk rules as data: the shipped ones, with the owner's on top. Pure and offline: the desk weighs
 * calls with them, and the command line explains them. */
#pragma once

#include "shared/base/json.h"
#include "shared/shell-parser/shell-script.h"
#include "shared/tool/tool.h"

typedef struct HfRule HfRule;
typedef struct HfRules HfRules; /* immutable, counted */

/* Shipped rules with `owners` (an object, or NULL) on top. INVALID_PARAMS with the field's path
 * when it cannot be used, also when it loosens a rule that may not be loosened. */
HfRules *hf_rules_new(const json_t *owners, GError **error);
/* The same with the owner's file at `path`, which need not be there, and `more` rules (an array, or
 * NULL) that the owner has written elsewhere. */
HfRules *hf_rules_load(const char *path, const json_t *more, GError **error);
HfRules *hf_rules_ref(HfRules *rules);
void hf_rules_unref(HfRules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRules, hf_rules_unref)
/* $XDG_CONFIG_HOME/handfast/rules.json */
char *hf_rules_dup_path(void);
/* Every rule: {id, looks_at, risk, block, ask_always, overridable, owner, message, message_zh}. */
json_t *hf_rules_describe(const HfRules *rules);

/* What rules say about a call; begins with {0}. */
typedef struct HfRiskAssessment {
    HfRisk risk;
    json_t *rules;       /* array of {id, message, message_zh, risk, what}; NULL: none */
    const char *block;   /* id of the rule that forbids it; NULL: none does */
    const char *message; /* of that rule */
    gboolean app;        /* that rule is about an application */
    gboolean ask_always;
} HfRiskAssessment;

void hf_risk_assessment_clear(HfRiskAssessment *weight);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRiskAssessment, hf_risk_assessment_clear)

void hf_rules_assess_script(const HfRules *rules, const HfScript *script, HfRiskAssessment *weight);
void hf_rules_assess_command(const HfRules *rules, const char *text, HfRiskAssessment *weight);
void hf_rules_assess_arguments(const HfRules *rules, const char *const *arguments,
                               HfRiskAssessment *weight);
/* The same, where it is known what is in the script at `path` that the program runs. */
void hf_rules_assess_file(const HfRules *rules, const char *const *arguments, const char *path,
                          const char *content, HfRiskAssessment *weight);
/* Names of keys in any spelling that the key tools take, pressed together. */
void hf_rules_assess_keys(const HfRules *rules, const char *const *names, HfRiskAssessment *weight);
void hf_rules_assess_text(const HfRules *rules, const char *text, HfRiskAssessment *weight);
void hf_rules_assess_path(const HfRules *rules, const char *path, gboolean writes,
                          HfRiskAssessment *weight);
void hf_rules_assess_url(const HfRules *rules, const char *url, HfRiskAssessment *weight);
void hf_rules_assess_app(const HfRules *rules, const char *name, HfRiskAssessment *weight);

/* What the hand must not touch: [{id, apps, titles}], and chords that it must not complete. */
json_t *hf_rules_fence(const HfRules *rules);
