/* SPDX-License-Identifier: Apache-2.0 */
/* Measured: GTK 2.24 ("GAIL"), GTK 3.24, GTK 4.8, Qt 5.15, Chromium 156, LibreOffice 7.4 ("gtk", by
 * its plug-in). */
#include "hand/atspi/bus/toolkit-traits.h"

#include <string.h>

static const HfToolkitTraits toolkits[] = {
    {.name = "gtk", .bulk = TRUE, .says_showing = TRUE, .one_action = TRUE, .tells_changes = TRUE},
    {.name = "GAIL", .says_showing = TRUE, .silent_menus = TRUE},
    {.name = "GTK", .window_relative = TRUE, .pressed_is_set = TRUE},
    {.name = "Qt", .says_showing = TRUE},
    {.name = "Chromium", .says_showing = TRUE, .page_in_pixels = TRUE, .page_identifiers = TRUE},
    {.name = "Gecko", .says_showing = TRUE, .page_identifiers = TRUE},
};
static const HfToolkitTraits unknown = {.name = "", .says_showing = TRUE};

static const HfToolkitTraits libreoffice = {
    .name = "gtk", .says_showing = TRUE, .forgets_menu_bar = TRUE};

const HfToolkitTraits *hf_toolkit_traits_find(const char *name, const char *program)
{
    if (g_strcmp0(program, "soffice") == 0)
        return &libreoffice;
    for (gsize i = 0; i < G_N_ELEMENTS(toolkits); i++)
        if (strcmp(toolkits[i].name, name) == 0)
            return &toolkits[i];
    return &unknown;
}
