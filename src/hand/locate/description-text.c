/* SPDX-License-Identifier: Apache-2.0 */
/* How a reading was understood, written down. */
#include "hand/locate/description.h"

static void append_description(GString *text, const HfDescription *description)
{
    if (!description || description->readings->len == 0)
        return;
    g_autofree char *first = hf_reading_to_text(description->readings->pdata[0]);
    g_string_append_printf(text, "(%s)", first);
}

char *hf_reading_to_text(const HfReading *reading)
{
    static const char *const ties[HF_TIE_COUNT] = {
        [HF_TIE_LEFT] = "left of",    [HF_TIE_RIGHT] = "right of",
        [HF_TIE_ABOVE] = "above",     [HF_TIE_BELOW] = "below",
        [HF_TIE_BESIDE] = "beside",   [HF_TIE_BETWEEN] = "between",
        [HF_TIE_IN] = "in",           [HF_TIE_ROW] = "in the row of",
        [HF_TIE_OF] = "belonging to", [HF_TIE_COLUMN] = "in the column of",
        [HF_TIE_SPOT] = "at",         [HF_TIE_NOT] = "not"};
    GString *text = g_string_new(hf_kind_name(reading->kind));
    if (reading->name)
        g_string_append_printf(text, " '%s'", reading->name->normal);
    if (reading->nth)
        g_string_append_printf(text, " nth=%d", reading->nth);
    if (reading->is)
        g_string_append_printf(text, " is=%u", reading->is);
    if (reading->colour)
        g_string_append_printf(text, " %s", hf_colour_name(reading->colour));
    if (reading->spot)
        g_string_append_printf(text, " spot=%u", reading->spot);
    for (int i = 0; i < reading->tie_count; i++) {
        const HfTie *tie = &reading->ties[i];
        g_string_append_printf(text, " %s", ties[tie->kind]);
        if (tie->kind == HF_TIE_SPOT)
            g_string_append_printf(text, " spot=%u of", tie->spot);
        append_description(text, tie->anchor);
        append_description(text, tie->other);
    }
    return g_string_free(text, FALSE);
}
