/* SPDX-License-Identifier: Apache-2.0 */
/* What all tools that return a picture share: parameters, result, and how a capture becomes a
 * result. */
#pragma once

#include "hand/desktop/image-spaces.h"
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/tools/windows/window-report.h"
#include "shared/image/vision-tokens.h"
#include "shared/tool/call.h"

#define HF_PICTURE_EDGE "1568" /* the largest that vision models do not shrink */

#define HF_PARAM_PICTURE                                                                           \
    HF_OPTIONAL("grey", HF_TYPE_BOOLEAN, "Without colours: fewer bytes, and text is as readable",  \
                .fallback = "false"),                                                              \
        HF_OPTIONAL(                                                                               \
            "max_tokens", HF_TYPE_INTEGER,                                                         \
            "Shrink the picture until it costs at most this many vision tokens for provider",      \
            .min = 1, .max = 100000),                                                              \
        HF_OPTIONAL("provider", HF_TYPE_STRING,                                                    \
                    "Whose tokens max_tokens counts: see vision_tokens; default anthropic",        \
                    .choices = hf_vision_models),                                                  \
        HF_OPTIONAL("format", HF_TYPE_STRING, "jpeg is smaller and faster; png is exact",          \
                    .choices = hf_picture_formats, .fallback = "\"jpeg\""),                        \
        HF_OPTIONAL("quality", HF_TYPE_INTEGER, "Quality of a jpeg", .min = 0, .max = 100,         \
                    .fallback = "80"),                                                             \
        HF_OPTIONAL("cursor", HF_TYPE_BOOLEAN, "Draw the mouse pointer into the picture",          \
                    .fallback = "false")
extern const char *const hf_picture_formats[];

#define HF_RESULT_PICTURE                                                                          \
    HF_OPTIONAL("image", HF_TYPE_STRING,                                                           \
                "The picture (base64, or a binary part if the protocol has those)",                \
                .binary = TRUE),                                                                   \
        HF_REQUIRED("image_id", HF_TYPE_STRING,                                                    \
                    "Identifies the picture, for coordinates in its pixels (space image)"),        \
        HF_REQUIRED("width", HF_TYPE_INTEGER, "Width of the picture, in its pixels"),              \
        HF_REQUIRED("height", HF_TYPE_INTEGER, "Height of the picture"),                           \
        HF_REQUIRED("scale", HF_TYPE_NUMBER, "Picture pixels per pixel of the screen"),            \
        HF_OPTIONAL("format", HF_TYPE_STRING, "Format of the image",                               \
                    .choices = hf_picture_formats),                                                \
        HF_OPTIONAL("vision_tokens", HF_TYPE_OBJECT,                                               \
                    "Vision tokens that the picture costs, estimated from its size",               \
                    .fields = hf_picture_token_fields),                                            \
        HF_REQUIRED("timestamp", HF_TYPE_INTEGER, "When it was taken, milliseconds since 1970"),   \
        HF_REQUIRED("region", HF_TYPE_OBJECT,                                                      \
                    "The part of the screen that it shows, in pixels of the screen",               \
                    .fields = hf_rect_fields),                                                     \
        HF_OPTIONAL("window", HF_TYPE_OBJECT, "The window that it shows",                          \
                    .fields = hf_picture_window_fields),                                           \
        HF_REQUIRED("display_scale", HF_TYPE_NUMBER, "Scale factor of the programs (HiDPI)"),      \
        HF_OPTIONAL("clipped", HF_TYPE_BOOLEAN,                                                    \
                    "A part of the requested area is outside of the screen and missing"),          \
        HF_OPTIONAL("occluded", HF_TYPE_BOOLEAN, "Parts of the window are covered and missing")
extern const HfParam hf_picture_window_fields[], hf_picture_token_fields[];

/* The area of `region` or `target`. `ret_window` is the window whose picture the region refers to,
 * else NULL. */
gboolean hf_picture_get_region(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
                               GError **error);
/* A picture on its way to the caller. */
typedef struct HfPicture {
    HfCapture *capture;     /* borrowed */
    const HfWindow *window; /* borrowed; NULL: a picture of the screen */
    HfRect seen;            /* what was captured, before cropping */
    gboolean cursor;        /* the pointer is drawn into it */
    gboolean withheld;      /* the caller does not want the image */
} HfPicture;

/* Draws the pointer into it if the call wants that. */
void hf_picture_init(HfPicture *picture, const HfCall *call, HfCapture *capture,
                     const HfWindow *window);
/* Crops it to this part of the screen. */
void hf_picture_crop(HfPicture *picture, HfRect part);
/* INVALID_PARAMS when max_tokens and provider do not go together. */
gboolean hf_picture_check_size(const HfCall *call, GError **error);
/* The size by max_dimension and max_tokens. */
HfSize hf_picture_size(const HfCall *call, HfRect area);
/* `wanted`, or smaller by max_tokens. */
HfSize hf_picture_fit(const HfCall *call, HfSize wanted);

/* TRUE when a new picture would equal the earlier one. FALSE without an error when it would not, or
 * when that is unknown. */
gboolean hf_picture_find_current(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, HfImageSpace *ret_space,
                                 GError **error);
/* Whether the earlier picture shows the requested area in the requested size. */
gboolean hf_picture_is_same_view(const HfCall *call, const HfCaptureRequest *request,
                                 const HfImageSpace *space);

/* The result for a new picture of `size`, encoded by the call's format and quality unless it has no
 * image or is withheld. It is remembered under its image_id with `hash`, which may be NULL. */
HfResult *hf_picture_result(HfCall *call, HfPicture *picture, HfSize size, GBytes *hash,
                            GError **error);
/* The result without the image. */
json_t *hf_picture_describe(const char *image_id, const HfImageSpace *space,
                            const HfWindow *window);
/* {id, title, frame}: hf_picture_window_fields. */
json_t *hf_picture_window_to_json(const HfWindow *window);
