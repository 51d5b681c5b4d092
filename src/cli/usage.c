/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the usage of a command. The text is ours, so an error in it is a mistake in the table;
 * its test finds it. */
#include "cli/usage.h"

#include <string.h>

static void word_free(HfUsageWord *word)
{
    g_free(word->name);
    g_free(word->value);
    g_free(word);
}

static void form_free(HfUsageForm *form)
{
    g_ptr_array_unref(form->words);
    g_free(form);
}

static HfUsageKind usage_kind(const char *token)
{
    if (token[0] == '-' && token[1])
        return HF_USAGE_FLAG;
    for (const char *p = token; *p; p++)
        if (!g_ascii_islower(*p) && *p != '-')
            return HF_USAGE_VALUE;
    return HF_USAGE_LITERAL;
}

/* Removes the punctuation of a token and reports which there was. */
static char *strip_usage_marks(const char *token, gboolean *opens, gboolean *closes,
                               gboolean *repeats)
{
    g_autofree char *text = g_strdup(token);
    *repeats = g_str_has_suffix(text, "...");
    if (*repeats)
        text[strlen(text) - 3] = '\0';
    *opens = text[0] == '[';
    *closes = g_str_has_suffix(text, "]");
    if (*closes)
        text[strlen(text) - 1] = '\0';
    return g_strdup(text + *opens);
}

static HfUsageForm *form_new(const char *line)
{
    g_auto(GStrv) tokens = g_strsplit(line, " ", -1);
    HfUsageForm *form = g_new0(HfUsageForm, 1);
    form->words = g_ptr_array_new_with_free_func((GDestroyNotify)word_free);
    gboolean inside = FALSE;
    HfUsageWord *flag = NULL; /* may still get a value */
    for (char **token = tokens; *token; token++) {
        gboolean opens, closes, repeats;
        g_autofree char *text = strip_usage_marks(*token, &opens, &closes, &repeats);
        HfUsageKind kind = usage_kind(text);
        inside |= opens;
        if (!*text)
            continue;
        if (flag && !opens && kind != HF_USAGE_FLAG) {
            flag->value = g_steal_pointer(&text);
            flag->repeats = repeats;
            flag = NULL;
        } else {
            HfUsageWord *word = g_new0(HfUsageWord, 1);
            word->kind = kind;
            word->name = g_strdup(text + (kind == HF_USAGE_FLAG ? strspn(text, "-") : 0));
            word->optional = inside;
            word->repeats = repeats;
            g_ptr_array_add(form->words, word);
            flag = kind == HF_USAGE_FLAG && !closes ? word : NULL;
        }
        inside &= !closes;
    }
    return form;
}

GPtrArray *hf_usage_new(const char *usage)
{
    g_auto(GStrv) lines = g_strsplit(usage, "\n", -1);
    GPtrArray *forms = g_ptr_array_new_with_free_func((GDestroyNotify)form_free);
    for (char **line = lines; *line; line++)
        g_ptr_array_add(forms, form_new(*line));
    if (forms->len == 0)
        g_ptr_array_add(forms, form_new(""));
    return forms;
}

char **hf_usage_dup_choices(const char *value)
{
    g_auto(GStrv) choices = g_strsplit(value ? value : "", "|", -1);
    if (!choices[0] || !choices[1])
        return NULL;
    for (char **choice = choices; *choice; choice++)
        if (!g_ascii_isalnum(**choice))
            return NULL;
    return g_steal_pointer(&choices);
}
