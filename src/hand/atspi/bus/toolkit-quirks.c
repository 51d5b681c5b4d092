/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each toolkit. */
#include "hand/atspi/bus/toolkit-quirks.h"

#include <string.h>

static const HfToolkitQuirks habits[] = {
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
static const HfToolkitQuirks usual = {
    .toolkit = "", .grabs_focus = TRUE, .insert_counts_bytes = TRUE};

const HfToolkitQuirks *hf_toolkit_quirks_find(const char *toolkit)
{
    for (gsize i = 0; i < G_N_ELEMENTS(habits); i++)
        if (strcmp(habits[i].toolkit, toolkit) == 0)
            return &habits[i];
    return &usual;
}
