/* SPDX-License-Identifier: Apache-2.0 */
/* Ignore files and globs of strangers: whatever the bytes, matching ends soon and says the same
 * twice. The first line is the path that is asked about. */
#include <stdint.h>
#include <string.h>

#include "hand/files/search/directory-walk.h"
#include "shared/text/glob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    g_autofree char *text = g_malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *feed = strchr(text, '\n');
    gsize first = feed ? (gsize)(feed - text) : strlen(text);
    g_autofree char *name = g_strndup(text, first), *path = g_strconcat("/w/", name, NULL);
    const char *rules = feed ? feed + 1 : "";
    gsize length = feed ? size - (gsize)(rules - text) : 0;
    g_autoptr(HfIgnore) above = hf_ignore_new(rules, length / 2, "/", NULL);
    g_autoptr(HfIgnore) ignore = hf_ignore_new(rules, length, "/w", above);
    gboolean ignored = hf_ignore_matches(ignore, path, FALSE);
    g_assert_cmpint(hf_ignore_matches(ignore, path, FALSE), ==, ignored);
    hf_ignore_matches(ignore, path, TRUE);
    for (int flags = 0; flags < 4; flags++) {
        g_autoptr(HfPathGlob) glob = hf_path_glob_new(rules, (HfGlobFlags)flags, NULL);
        if (!glob)
            continue;
        gboolean fits = hf_path_glob_matches(glob, path);
        g_assert_true(!fits || hf_path_glob_can_fit_below(glob, path) || strchr(rules, '['));
    }
    return 0;
}
