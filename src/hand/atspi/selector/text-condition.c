/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on texts. The matcher's step limit stops a runaway expression, which is an error then:
 * half an answer would look like "not found". */
#include "hand/atspi/selector/text-condition.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/bounded-regex.h"

/* How many steps a match may take. */
#define MATCH_STEPS 20000
/* How much of a text is matched. */
#define TEXT_BYTES 8192

gboolean hf_text_condition_init(HfTextCondition *condition, HfTextOperator how, const char *text,
                                const char *where, GError **error)
{
    if (!*text)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: give a text that is not empty", where);
    if (strlen(text) > HF_LIMIT_SELECTOR_TEXT_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%s: at most %u bytes", where,
                       HF_LIMIT_SELECTOR_TEXT_BYTES);
    hf_text_condition_clear(condition);
    *condition = (HfTextCondition){how, g_strdup(text), hf_label_normal(text), NULL};
    if (how != HF_TEXT_REGEX)
        return TRUE;
    condition->regex = hf_bounded_regex_new(condition->text, MATCH_STEPS, error);
    if (!condition->regex)
        g_prefix_error(error, "%s: ", where);
    return condition->regex != NULL;
}

void hf_text_condition_clear(HfTextCondition *condition)
{
    g_free(condition->text);
    g_free(condition->normal);
    g_clear_pointer(&condition->regex, g_regex_unref);
    *condition = (HfTextCondition){0};
}

static HfFit fit_regex(const HfTextCondition *condition, const char *text, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)strnlen(text, TEXT_BYTES));
    if (g_regex_match_full(condition->regex, valid, -1, 0, 0, NULL, &reason))
        return HF_FIT_SAME;
    if (reason) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "the regular expression /%s/ takes too long on a text: %s", condition->text,
                reason->message);
        hf_error_suggest(error, "write it without nested repetitions");
    }
    return HF_FIT_NONE;
}

HfFit hf_text_condition_fit(const HfTextCondition *condition, const char *text, GError **error)
{
    if (!text || (error && *error))
        return HF_FIT_NONE;
    if (condition->how == HF_TEXT_REGEX)
        return fit_regex(condition, text, error);
    HfFit fit = hf_label_fit(text, condition->text, condition->normal);
    if (condition->how == HF_TEXT_EQUALS)
        return fit >= HF_FIT_NORMAL ? fit : HF_FIT_NONE;
    return fit;
}
