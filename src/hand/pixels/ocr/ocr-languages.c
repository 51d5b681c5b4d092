/* SPDX-License-Identifier: Apache-2.0 */
/* A Chinese character has more strokes above each other than a Latin letter. It also has ink at the
 * top, where Latin text has only capitals and ascenders. On the tuning set this is wrong for 1 line
 * of 30 in 9 px print and for 1 of 200 in larger print. The confidence of the reading then
 * decides. */
#include "hand/pixels/ocr/ocr-languages.h"

#include <math.h>
#include <string.h>

#include "shared/base/error.h"

#define INK 150
/* The mean number of strokes in a column, plus three times the share of ink in the top quarter. */
#define CHINESE_FROM 2.15
#define UNCLEAR      0.25

static const char *const names[][2] = {
    {"en", HF_LANGUAGE_ENGLISH},
    {"english", HF_LANGUAGE_ENGLISH},
    {"zh", HF_LANGUAGE_CHINESE},
    {"zh-cn", HF_LANGUAGE_CHINESE},
    {"zh_cn", HF_LANGUAGE_CHINESE},
    {"zh-hans", HF_LANGUAGE_CHINESE},
    {"chinese", HF_LANGUAGE_CHINESE},
    {"zh-tw", "chi_tra"},
    {"de", "deu"},
    {"fr", "fra"},
    {"es", "spa"},
    {"ja", "jpn"},
    {"ko", "kor"},
    {"ru", "rus"},
};

char *hf_ocr_language_dup(const char *wanted, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_ascii_strcasecmp(wanted, names[i][0]) == 0)
            return g_strdup(names[i][1]);
    /* It becomes the name of a file, so it must not lead elsewhere. */
    gsize length = strspn(wanted, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+");
    if (length >= 1 && length <= 32 && wanted[length] == '\0')
        return g_strdup(wanted);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "language: '%s' is not the name of a language; give auto, eng, chi_sim or another "
            "installed "
            "language",
            wanted);
    hf_error_take_details(
        error, json_pack("{s:s, s:s}", "path", "language", "expected",
                         "auto, eng, chi_sim, or the name of another installed language"));
    return NULL;
}

static int strokes_in_column(const HfTextLine *line, int x, int *ink, int *top_ink)
{
    int strokes = 0;
    gboolean before = FALSE;
    for (int y = 0; y < line->height; y++) {
        gboolean here = line->grey[(gsize)y * (gsize)line->width + (gsize)x] < INK;
        strokes += here && !before;
        *ink += here;
        *top_ink += here && y < line->height / 4;
        before = here;
    }
    return strokes;
}

static double measure_stroke_density(const HfTextLine *line)
{
    int strokes = 0, columns = 0, ink = 0, top_ink = 0;
    for (int x = 0; x < line->width; x++) {
        int here = strokes_in_column(line, x, &ink, &top_ink);
        strokes += here;
        columns += here > 0;
    }
    return columns > 0 ? (double)strokes / columns + 3.0 * top_ink / ink : 0;
}

gboolean hf_text_line_looks_chinese(const HfTextLine *line)
{
    return measure_stroke_density(line) >= CHINESE_FROM;
}

gboolean hf_text_line_language_is_unclear(const HfTextLine *line)
{
    return fabs(measure_stroke_density(line) - CHINESE_FROM) < UNCLEAR;
}
