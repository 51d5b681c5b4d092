/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libsoup once, on first use. */
#define HF_SOUP_PLAIN
#include "desk/doors/http/server/libsoup.h"

#define SYMBOL(NAME) {#NAME, offsetof(HfSoup, NAME)},
static const HfSymbol symbols[] = {HF_SOUP_FUNCTIONS(SYMBOL){0}};

static const HfSoup *find_soup_library(GError **error)
{
    static HfLibrary library = {.file = "libsoup-3.0.so.0",
                                .purpose = "reads and writes HTTP",
                                .install = "libsoup-3.0-0",
                                .symbols = symbols,
                                .size = sizeof(HfSoup),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

gboolean hf_soup_load(GError **error)
{
    return find_soup_library(error) != NULL;
}

const HfSoup *hf_soup(void)
{
    g_autoptr(GError) error = NULL;
    const HfSoup *soup = find_soup_library(&error);
    if (!soup)
        g_error("%s", error->message);
    return soup;
}
