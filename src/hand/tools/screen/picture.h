/* SPDX-License-Identifier: Apache-2.0 */
/* What all tools that return a picture share: their parameters, their result, and the way from a
 * capture to both. */
#pragma once

#include "hand/desktop/image-spaces.h"
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "shared/image/vision-tokens.h"
#include "shared/tool/call.h"

#define HF_PICTURE_EDGE "1568" /* what vision models take without shrinking it themselves */

#define HF_PARAM_PICTURE                                                                           \
    {.name = "grey",                                                                               \
     .type = HF_TYPE_BOOLEAN,                                                                      \
     .fallback = "false",                                                                          \
     .about = "Without colours: fewer bytes, and text reads no worse"},                            \
        {.name = "max_tokens",                                                                     \
         .type = HF_TYPE_INTEGER,                                                                  \
         .min = 1,                                                                                 \
         .max = 100000,                                                                            \
         .about =                                                                                  \
             "Shrink the picture until it costs provider's models no more vision tokens than "     \
             "this"},                                                                              \
        {.name = "provider",                                                                       \
         .type = HF_TYPE_STRING,                                                                   \
         .choices = hf_vision_models,                                                              \
         .about = "Whose tokens max_tokens counts: see vision_tokens; default anthropic"},         \
        {.name = "format",                                                                         \
         .type = HF_TYPE_STRING,                                                                   \
         .choices = hf_picture_formats,                                                            \
         .fallback = "\"jpeg\"",                                                                   \
         .about = "jpeg is smaller and faster; png is exact"},                                     \
        {.name = "quality",                                                                        \
         .type = HF_TYPE_INTEGER,                                                                  \
         .min = 0,                                                                                 \
         .max = 100,                                                                               \
         .fallback = "80",                                                                         \
         .about = "Of jpeg"},                                                                      \
    {                                                                                              \
        .name = "cursor", .type = HF_TYPE_BOOLEAN, .fallback = "false",                            \
        .about = "Draw the mouse pointer into the picture"                                         \
    }
extern const char *const hf_picture_formats[];

/* Members of the result, for the tool's table. */
#define HF_RESULT_PICTURE                                                                          \
    {.name = "image",                                                                              \
     .type = HF_TYPE_STRING,                                                                       \
     .binary = TRUE,                                                                               \
     .about = "The picture (base64, or a binary part where the door has those)"},                  \
        {.name = "image_id",                                                                       \
         .type = HF_TYPE_STRING,                                                                   \
         .required = TRUE,                                                                         \
         .about = "Names the picture, for coordinates in its pixels (space image)"},               \
        {.name = "width",                                                                          \
         .type = HF_TYPE_INTEGER,                                                                  \
         .required = TRUE,                                                                         \
         .about = "Of the picture, in its pixels"},                                                \
        {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Of the picture"},  \
        {.name = "scale",                                                                          \
         .type = HF_TYPE_NUMBER,                                                                   \
         .required = TRUE,                                                                         \
         .about = "Picture pixels for one pixel of the screen"},                                   \
        {.name = "format",                                                                         \
         .type = HF_TYPE_STRING,                                                                   \
         .choices = hf_picture_formats,                                                            \
         .about = "Of the image"},                                                                 \
        {.name = "vision_tokens",                                                                  \
         .type = HF_TYPE_OBJECT,                                                                   \
         .fields = hf_picture_token_fields,                                                        \
         .about = "What the picture costs vision models, estimated from its size"},                \
        {.name = "timestamp",                                                                      \
         .type = HF_TYPE_INTEGER,                                                                  \
         .required = TRUE,                                                                         \
         .about = "When it was taken, milliseconds since 1970"},                                   \
        {.name = "region",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .required = TRUE,                                                                         \
         .fields = hf_picture_region_fields,                                                       \
         .about = "The part of the screen that it shows, in pixels of the screen"},                \
        {.name = "window",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .fields = hf_picture_window_fields,                                                       \
         .about = "The window that it shows"},                                                     \
        {.name = "display_scale",                                                                  \
         .type = HF_TYPE_NUMBER,                                                                   \
         .required = TRUE,                                                                         \
         .about = "How much larger than usual programs draw (HiDPI)"},                             \
        {.name = "clipped",                                                                        \
         .type = HF_TYPE_BOOLEAN,                                                                  \
         .about = "A part of what was asked for lies outside of the screen and is missing"},       \
    {                                                                                              \
        .name = "occluded", .type = HF_TYPE_BOOLEAN,                                               \
        .about = "The window is covered, and the covered parts could not be seen"                  \
    }
extern const HfParam hf_picture_region_fields[], hf_picture_window_fields[];
extern const HfParam hf_picture_token_fields[];

/* The area `region` or `target` of the call, and the window that it is a part of: NULL for one of
 * the screen.
 */
gboolean hf_picture_get_region(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
                               GError **error);
/* A picture on its way to the caller. */
typedef struct HfPicture {
    HfCapture *capture;     /* borrowed */
    const HfWindow *window; /* borrowed; NULL: it is one of the screen */
    HfRect seen;            /* what was captured, before it was cropped */
    gboolean cursor;        /* the pointer is drawn into it */
    gboolean withheld;      /* the caller wants everything but the image */
} HfPicture;

/* Draws the pointer into it, if it is to be seen. */
void hf_picture_init(HfPicture *picture, const HfCall *call, HfCapture *capture,
                     const HfWindow *window);
/* Only this part of it, of what it shows on the screen. */
void hf_picture_crop(HfPicture *picture, HfRect part);
/* max_tokens and provider of the call hold together: INVALID_PARAMS when they do not. */
gboolean hf_picture_check_size(const HfCall *call, GError **error);
/* The size that the call asks for: by max_dimension, and max_tokens. */
HfSize hf_picture_size(const HfCall *call, HfRect area);
/* The same where it would be `wanted`, but for max_tokens. */
HfSize hf_picture_fit(const HfCall *call, HfSize wanted);

/* TRUE when a picture that was given out would come out the same again. FALSE without an error
 * when it would not, or when that cannot be known. */
gboolean hf_picture_find_current(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, HfImageSpace *ret_space,
                                 GError **error);
/* Whether the caller has got a picture of this part in this size. */
gboolean hf_picture_is_same_view(const HfCall *call, const HfCaptureRequest *request,
                                 const HfImageSpace *space);

/* The result of a new picture of `size`: encoded by the call's format and quality, unless it has no
 * image or is withheld, and remembered with its `look`, which may be NULL. */
HfResult *hf_picture_result(HfCall *call, HfPicture *picture, HfSize size, GBytes *look,
                            GError **error);
/* The result of a picture that was given out before, without the image. */
json_t *hf_picture_describe(const char *image_id, const HfImageSpace *space,
                            const HfWindow *window);
