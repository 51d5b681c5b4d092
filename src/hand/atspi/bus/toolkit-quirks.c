/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each toolkit. Measured: GTK 2.24 ("GAIL"), GTK 3.24, GTK 4.8, Qt 5.15, Chromium 156,
 * LibreOffice 7.4 ("gtk", by its plug-in). */
#include "hand/atspi/bus/toolkit-quirks.h"

#include <string.h>

static const HfToolkitTraits traits[] = {
    {.name = "gtk", .bulk = TRUE, .says_showing = TRUE, .one_action = TRUE, .tells_changes = TRUE},
    {.name = "GAIL", .says_showing = TRUE, .silent_menus = TRUE},
    {.name = "GTK", .window_relative = TRUE, .pressed_is_set = TRUE},
    {.name = "Qt", .says_showing = TRUE},
    {.name = "Chromium", .says_showing = TRUE, .page_in_pixels = TRUE, .page_identifiers = TRUE},
    {.name = "Gecko", .says_showing = TRUE, .page_identifiers = TRUE},
};
static const HfToolkitTraits unknown_traits = {.name = "", .says_showing = TRUE};
static const HfToolkitTraits libreoffice = {
    .name = "gtk", .says_showing = TRUE, .forgets_menu_bar = TRUE};

static const HfToolkitQuirks quirks[] = {
    {.toolkit = "gtk", .grabs_focus = TRUE, .insert_counts_bytes = TRUE},
    {.toolkit = "GTK",
     .pressed_is_on = TRUE,
     .popups_by_keys = TRUE,
     .insert_counts_bytes = TRUE,
     .any_box_clips = TRUE},
    {.toolkit = "Qt",
     .grabs_focus = TRUE,
     .clicks_items = TRUE,
     .tab_in_front_is_focused = TRUE,
     .steps_by_keys = TRUE,
     .any_box_clips = TRUE},
    {.toolkit = "Chromium",
     .grabs_focus = TRUE,
     .pressed_is_on = TRUE,
     .insert_counts_bytes = TRUE},
};
static const HfToolkitQuirks usual_quirks = {
    .toolkit = "", .grabs_focus = TRUE, .insert_counts_bytes = TRUE};

const HfToolkitTraits *hf_toolkit_traits_find(const char *name, const char *program)
{
    if (g_strcmp0(program, "soffice") == 0)
        return &libreoffice;
    for (gsize i = 0; i < G_N_ELEMENTS(traits); i++)
        if (strcmp(traits[i].name, name) == 0)
            return &traits[i];
    return &unknown_traits;
}

const HfToolkitQuirks *hf_toolkit_quirks_find(const char *toolkit)
{
    for (gsize i = 0; i < G_N_ELEMENTS(quirks); i++)
        if (strcmp(quirks[i].toolkit, toolkit) == 0)
            return &quirks[i];
    return &usual_quirks;
}
