/* SPDX-License-Identifier: Apache-2.0 */
/* What no picture shows. See config-privacy.c for what the tables cannot say. */
#include "desk/policy/config/config-fields.h"

#include "desk/policy/config/config-limits.h"
#include "shared/base/limits.h"

static const char *const corners[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};

static const HfParam window_fields[] = {
    {.name = "title",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_BLUR_TEXT_BYTES,
     .about = "A part of its title, with * and ?"},
    {.name = "app",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_BLUR_TEXT_BYTES,
     .about = "Its program: process, executable, class or title, with * and ?"},
    {0},
};

#define PLACE(NAME, MIN, ABOUT)                                                                    \
    {                                                                                              \
        .name = NAME, .type = HF_TYPE_INTEGER, .required = TRUE, .min = MIN,                       \
        .max = HF_LIMIT_SCREEN_EDGE, .about = ABOUT                                                \
    }
static const HfParam rect_fields[] = {
    PLACE("x", 0, "From the left edge of the screen, or from the corner of the window"),
    PLACE("y", 0, "From the top edge of the screen, or from the corner of the window"),
    PLACE("width", 1, "Pixels across"),
    PLACE("height", 1, "Pixels down"),
    {0},
};

static const HfParam blur_fields[] = {
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .fields = window_fields,
     .about = "Windows that fit all of this"},
    {.name = "rect",
     .type = HF_TYPE_OBJECT,
     .fields = rect_fields,
     .about = "Only this part of the window, without its title bar; or of the screen"},
    {.name = "corner",
     .type = HF_TYPE_STRING,
     .choices = corners,
     .about = "The corner of the window that rect is measured from (default: top-left)"},
    {.name = "desktop",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Only on this desktop (default: on each)"},
    {0},
};
static const HfParam blur_item = {.type = HF_TYPE_OBJECT, .fields = blur_fields};

const HfParam hf_config_privacy_fields[] = {
    {.name = "blur",
     .type = HF_TYPE_ARRAY,
     .items = &blur_item,
     .max = HF_LIMIT_BLUR_LIST,
     .fallback = "[]",
     .about = "Windows and places that no picture shows, in addition to password fields"},
    {0},
};
