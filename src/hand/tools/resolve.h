/* SPDX-License-Identifier: Apache-2.0 */
/* Which window and which point a call means, told apart in one place, so that "not found", "which
 * of them?" and "outside of the screen" are worded once. */
#pragma once

#include "hand/atspi/atspi-limits.h"
#include "hand/desktop/windows.h"
#include "hand/locate/element-resolver.h"
#include "shared/base/geometry.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* For the parameter table of a tool that acts on an element, and of the result that tells which one
 * it was. */
#define HF_PARAM_TARGET(name_, about_)                                                             \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 1,                \
        .max = HF_LIMIT_SELECTOR_BYTES, .also = &hf_selector_form, .about = (about_)               \
    }
#define HF_RESULT_ELEMENT(name_)                                                                   \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_OBJECT, .fields = hf_located_fields, .others = TRUE,      \
        .about = "The element that was meant"                                                      \
    }
extern const HfParam hf_selector_form;
extern const HfParam hf_located_fields[];
/* The element that a parameter means as it is now; told in the result as `member`. See
 * hand/locate/element-resolver.h for the errors. */
gboolean hf_call_locate(HfCall *call, const char *name, const char *member,
                        HfResolvedElement *ret_located, GError **error);

/* For the parameter table of a tool that takes a point: both or neither of x and y, or an element.
 */
#define HF_PARAM_POINT                                                                             \
    HF_PARAM_TARGET("target", "Element instead of x and y: e12, button \"Save\", or its text"),    \
        {.name = "x", .type = HF_TYPE_NUMBER, .about = "Pixels from the left edge; with y"},       \
        {.name = "y", .type = HF_TYPE_NUMBER, .about = "Pixels from the top edge; with x"},        \
        HF_PARAM_SPACE
/* For a tool that names its points otherwise. */
#define HF_PARAM_SPACE                                                                             \
    {.name = "space",                                                                              \
     .type = HF_TYPE_STRING,                                                                       \
     .choices = hf_space_choices,                                                                  \
     .about = "What the coordinates count: physical pixels of the screen (default), or pixels "    \
              "of the picture image_id (default when that is given)"},                             \
    {                                                                                              \
        .name = "image_id", .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 1,             \
        .max = HF_LIMIT_NAME_BYTES,                                                                \
        .about = "The picture that the coordinates were read from, as screenshot gave it"          \
    }
extern const char *const hf_space_choices[];
/* The picture whose pixels the call counts in; NULL: those of the screen. */
gboolean hf_call_get_image_id(const HfCall *call, const char **ret_image_id, GError **error);

/* Whether the call's coordinates count pixels of the picture image_id. */
gboolean hf_call_in_image_space(const HfCall *call);

/* The physical pixel at x, y; without them where the pointer is. INVALID_PARAMS when only one is
 * given or the point is outside of the screen or picture, DESKTOP_STALE_SNAPSHOT when the picture
 * no longer says where things are. */
gboolean hf_call_get_point(HfCall *call, HfPoint *ret_point, GError **error);
/* The names of the parameters that one point can be given by, and where its element is told. */
typedef struct HfPointNames {
    const char *x, *y, *target, *element;
} HfPointNames;
extern const HfPointNames hf_point_names, hf_from_names, hf_to_names;
/* One of them is needed: x and y, or the element. */
gboolean hf_call_get_point_named(HfCall *call, const HfPointNames *names, HfPoint *ret_point,
                                 GError **error);

/* For a tool that takes an area: [x0, y0, x1, y1] or {x, y, width, height}. */
#define HF_PARAM_AREA(name_, required_, about_)                                                    \
    {                                                                                              \
        .name = (name_), .type = HF_TYPE_ARRAY, .required = (required_), .items = &hf_coordinate,  \
        .min = 4, .max = 4, .also = &hf_area_form, .about = (about_)                               \
    }
extern const HfParam hf_coordinate, hf_area_form;
/* The physical pixels of the area, which may lie outside of the screen; at least one. In the
 * space of a picture that shows a window, `ret_window` is that window, else 0. INVALID_PARAMS when
 * the area is empty or outside of its picture. */
gboolean hf_call_get_area(const HfCall *call, const char *name, HfRect *ret_area,
                          guint32 *ret_window, GError **error);
/* The same of one of many; `name` is for what is said of it. */
gboolean hf_call_read_area(const HfCall *call, const char *name, const json_t *value,
                           HfRect *ret_area, guint32 *ret_window, GError **error);

/* The area of an element on the screen, with a little around it, and the window that it is in. */
gboolean hf_call_get_element_area(HfCall *call, HfRect *ret_area, GError **error);

/* For a tool that can look at one monitor. */
#define HF_PARAM_DISPLAY                                                                           \
    {                                                                                              \
        .name = "display", .type = HF_TYPE_STRING, .means = HF_MEANS_PLAIN, .min = 1,              \
        .max = HF_LIMIT_NAME_BYTES, .also = &hf_display_number,                                    \
        .about = "One monitor instead of all: its name, or its number from 0 on"                   \
    }
extern const HfParam hf_display_number;
/* Where the monitor is. INVALID_PARAMS, with those that there are, when it is not there. */
gboolean hf_call_get_display(const HfCall *call, HfRect *ret_area, GError **error);

/* For the parameter table of a tool that works on one window. */
#define HF_PARAM_WINDOW                                                                            \
    {.name = "window_id",                                                                          \
     .type = HF_TYPE_INTEGER,                                                                      \
     .about = "The window's id, as window_list gives it",                                          \
     .min = 1,                                                                                     \
     .max = 4294967295.0},                                                                         \
    {                                                                                              \
        .name = "window_title", .type = HF_TYPE_STRING, .means = HF_MEANS_WINDOW,                  \
        .about = "The window's title; a part of it will do, in any case", .min = 1,                \
        .max = HF_LIMIT_TITLE_BYTES                                                                \
    }
/* For tools that also take a description of the window; all members given must fit. */
#define HF_PARAM_WINDOW_MATCH                                                                      \
    {                                                                                              \
        .name = "match", .type = HF_TYPE_OBJECT, .fields = hf_window_match_fields,                 \
        .about = "Describes the window, instead of window_id or window_title; all members "        \
                 "that are given must fit"                                                         \
    }
extern const HfParam hf_window_match_fields[];

/* Whether the call says which window it means. */
gboolean hf_call_names_window(const HfCall *call);
/* By window_id, window_title or match. Of several that fit: the focused one, else the topmost if
 * all belong to one application, else WINDOW_AMBIGUOUS with the candidates in details. */
gboolean hf_call_get_window(const HfCall *call, HfWindow **ret_window, GError **error);
