/* SPDX-License-Identifier: Apache-2.0 */
/* Which element, point, area, monitor and window a call means, with the parameters that say it. All
 * tools resolve them here, so that the errors read the same everywhere. */
#pragma once

#include "hand/atspi/atspi-limits.h"
#include "hand/desktop/windows.h"
#include "hand/locate/element-resolver.h"
#include "shared/base/geometry.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* What a parameter declares that takes a selector. */
#define HF_SELECTOR                                                                                \
    .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_SELECTOR_BYTES, .also = &hf_selector_form
#define HF_PARAM_TARGET(name_, about_) HF_OPTIONAL(name_, HF_TYPE_STRING, about_, HF_SELECTOR)
/* The element that was meant, in the result. */
#define HF_RESULT_ELEMENT(name_)                                                                   \
    HF_OPTIONAL(name_, HF_TYPE_OBJECT, "The element that was found", .fields = hf_located_fields,  \
                .others = TRUE)
extern const HfParam hf_selector_form, hf_located_fields[];
extern const HfParam hf_text_item; /* of an array of texts */
/* Finds the element that a parameter means, and reports it in the result as `member`. See
 * hand/locate/element-resolver.h for the errors. */
gboolean hf_call_locate(HfCall *call, const char *name, const char *member,
                        HfResolvedElement *ret_located, GError **error);

/* A point: both x and y, or an element, or nothing. */
#define HF_PARAM_POINT                                                                             \
    HF_PARAM_TARGET("target", "Element instead of x and y: e12, button \"Save\", or its text"),    \
        HF_OPTIONAL("x", HF_TYPE_NUMBER, "Pixels from the left edge; with y"),                     \
        HF_OPTIONAL("y", HF_TYPE_NUMBER, "Pixels from the top edge; with x"), HF_PARAM_SPACE
/* For a tool that has other names for its points. */
#define HF_PARAM_SPACE                                                                             \
    HF_OPTIONAL("space", HF_TYPE_STRING,                                                           \
                "Unit of the coordinates: physical pixels of the screen (default), or pixels of "  \
                "the picture image_id (default if that is given)",                                 \
                .choices = hf_space_choices),                                                      \
        HF_OPTIONAL("image_id", HF_TYPE_STRING,                                                    \
                    "The picture that the coordinates refer to, as screenshot returned it",        \
                    .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES)
extern const char *const hf_space_choices[];
/* Whether the call's coordinates are pixels of the picture image_id. */
gboolean hf_call_in_image_space(const HfCall *call);

/* The physical pixel at x, y, or that of the pointer if neither is given. INVALID_PARAMS when only
 * one is given or the point is outside of the screen or picture, DESKTOP_STALE_SNAPSHOT when the
 * picture is out of date. */
gboolean hf_call_get_point(HfCall *call, HfPoint *ret_point, GError **error);
/* The parameters of one point, and the member of the result that reports its element. */
typedef struct HfPointNames {
    const char *x, *y, *target, *element;
} HfPointNames;
extern const HfPointNames hf_point_names, hf_from_names, hf_to_names;
/* The same for other names. Here a point is required: x and y, or the element. */
gboolean hf_call_get_point_named(HfCall *call, const HfPointNames *names, HfPoint *ret_point,
                                 GError **error);

/* An area: [left, top, right, bottom] or {x, y, width, height}. */
#define HF_PARAM_AREA(name_, about_)                                                               \
    HF_OPTIONAL(name_, HF_TYPE_ARRAY, about_, .items = &hf_coordinate, .min = 4, .max = 4,         \
                .also = &hf_area_form)
extern const HfParam hf_coordinate, hf_area_form;
/* The physical pixels of the area, which may lie outside of the screen. `ret_window` is the window
 * whose picture the coordinates belong to, else 0. INVALID_PARAMS when the area is empty or outside
 * of its picture. */
gboolean hf_call_get_area(const HfCall *call, const char *name, HfRect *ret_area,
                          guint32 *ret_window, GError **error);
/* The same for a value of a list; errors call it `name`. */
gboolean hf_call_read_area(const HfCall *call, const char *name, const json_t *value,
                           HfRect *ret_area, guint32 *ret_window, GError **error);

/* The area of the element `target` on the screen, with a margin. */
gboolean hf_call_get_element_area(HfCall *call, HfRect *ret_area, GError **error);

#define HF_PARAM_DISPLAY                                                                           \
    HF_OPTIONAL("display", HF_TYPE_STRING,                                                         \
                "One monitor instead of all: its name, or its number, counted from 0",             \
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES,                     \
                .also = &hf_display_number)
extern const HfParam hf_display_number;
/* The area of the monitor. INVALID_PARAMS, with the list of monitors, when it does not exist. */
gboolean hf_call_get_display(const HfCall *call, HfRect *ret_area, GError **error);

#define HF_PARAM_WINDOW                                                                            \
    HF_OPTIONAL("window_id", HF_TYPE_INTEGER, "The window's id, as window_list gives it",          \
                .min = 1, .max = 4294967295.0),                                                    \
        HF_OPTIONAL("window_title", HF_TYPE_STRING,                                                \
                    "The window's title or a part of it; case is ignored",                         \
                    .means = HF_MEANS_WINDOW, .min = 1, .max = HF_LIMIT_TITLE_BYTES)
#define HF_PARAM_WINDOW_MATCH                                                                      \
    HF_OPTIONAL("match", HF_TYPE_OBJECT,                                                           \
                "Describes the window, instead of window_id or window_title; all given members "   \
                "must match",                                                                      \
                .fields = hf_window_match_fields)
extern const HfParam hf_window_match_fields[];

/* Whether the call has window_id, window_title or match. */
gboolean hf_call_names_window(const HfCall *call);
/* The window of window_id, window_title or match. If several match: the focused one, else the
 * topmost if all belong to one application, else WINDOW_AMBIGUOUS with the candidates in details.
 */
gboolean hf_call_get_window(const HfCall *call, HfWindow **ret_window, GError **error);
