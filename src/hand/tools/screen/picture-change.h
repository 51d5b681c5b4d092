/* SPDX-License-Identifier: Apache-2.0 */
/* What changed since an earlier picture. If something was drawn since, pixels are compared, with
 * masked parts masked in both. */
#pragma once

#include "hand/tools/screen/picture.h"
#include "hand/tools/tools-limits.h"

#define HF_PARAM_IGNORE                                                                            \
    HF_OPTIONAL(                                                                                   \
        "ignore", HF_TYPE_ARRAY,                                                                   \
        "Areas in which changes do not count, such as a clock: each [left, top, right, bottom], "  \
        "or {x, y, width, height}, in pixels of the screen, or of the picture image_id",           \
        .items = &hf_ignored_area, .max = HF_LIMIT_IGNORED_AREAS)
/* Whether there is a picture at all, and its size. */
#define HF_PARAM_IMAGE                                                                             \
    HF_OPTIONAL("image", HF_TYPE_BOOLEAN, "false: return everything but the picture itself",       \
                .fallback = "true"),                                                               \
        HF_OPTIONAL("max_dimension", HF_TYPE_INTEGER,                                              \
                    "The longer edge of the picture is shrunk to this; 0: full size", .min = 0,    \
                    .max = HF_LIMIT_SCREEN_EDGE, .fallback = HF_PICTURE_EDGE)
#define HF_PARAM_CROP                                                                              \
    HF_OPTIONAL("crop", HF_TYPE_STRING,                                                            \
                "changed: show only what changed, with a margin, unless that is most of it",       \
                .choices = hf_crop_choices, .fallback = "\"none\"")
extern const HfParam hf_ignored_area;
extern const char *const hf_crop_choices[];

#define HF_RESULT_CHANGED                                                                          \
    HF_OPTIONAL("changed", HF_TYPE_ARRAY,                                                          \
                "Areas that changed, in pixels of the screen, at most 32; neighbours are joined. " \
                "Absent if there is nothing to compare with",                                      \
                .items = &hf_changed_rect),                                                        \
        HF_OPTIONAL("changed_share", HF_TYPE_NUMBER, "The share of the area that changed, 0 to 1")
extern const HfParam hf_changed_rect;

/* Both parameters need `since`, the one that names the earlier picture. */
gboolean hf_picture_check_since(const HfCall *call, const char *since, GError **error);

/* The areas of `ignore` in pixels of the screen; NULL: none. */
gboolean hf_picture_get_ignored(const HfCall *call, GArray **ret_areas, GError **error);

/* How a capture differs from an earlier picture. */
typedef struct HfPictureChange {
    GBytes *hash;   /* of the capture; NULL when there is no image */
    gboolean known; /* both show the same area, so that they could be compared */
    gboolean same;  /* no pixel differs, not even an ignored one */
    GArray *rects;  /* of HfRect, in pixels of the screen */
    double share;   /* of the area */
} HfPictureChange;

void hf_picture_change_clear(HfPictureChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPictureChange, hf_picture_change_clear)

/* `image_id` may be NULL or out of date. */
void hf_picture_compare(HfDesktop *desktop, const char *image_id, const HfPicture *picture,
                        const GArray *ignore, HfPictureChange *ret_change);
/* Whether nothing that counts changed and the caller has that picture already, so that a new one
 * is not needed. `ret_space` is then that of the earlier picture. */
gboolean hf_picture_is_unchanged(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, const HfPicture *picture,
                                 const HfPictureChange *change, HfImageSpace *ret_space);
/* The result for an unchanged picture, without the image. */
json_t *hf_picture_unchanged_to_json(const HfCall *call, const char *image_id,
                                     const HfImageSpace *space, const HfWindow *window);
/* Adds the change to a result, if it is known. */
void hf_picture_report_change(const HfPictureChange *change, json_t *result);
/* Crops the picture to what changed, unless that is most of it or unknown. */
void hf_picture_crop_to_change(HfPicture *picture, const HfPictureChange *change);
