/* SPDX-License-Identifier: Apache-2.0 */
/* Matching with one step back at most: the last star is the only one that needs to grow. Only the
 * case of ASCII letters is ignored, which is what names of programs and hosts are made of. */
#include "shared/text/glob.h"

gboolean hf_glob_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    if (!text)
        return FALSE;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern &&
                   (*pattern == '?' || g_ascii_tolower(*pattern) == g_ascii_tolower(*text))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return FALSE;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}
