/* SPDX-License-Identifier: Apache-2.0 */
/* What has changed since a picture that was given out: by the display's count of changes, which
 * costs next to nothing, and where something was drawn by comparing pixels. Covered parts are
 * compared as they are shown, covered. */
#pragma once

#include "hand/tools/screen/picture.h"
#include "hand/tools/tools-limits.h"

#define HF_PARAM_IGNORE                                                                            \
    {                                                                                              \
        .name = "ignore", .type = HF_TYPE_ARRAY, .items = &hf_ignored_area,                        \
        .max = HF_LIMIT_IGNORED_AREAS,                                                             \
        .about = "Parts in which a change does not count, such as a clock: each [left, top, "      \
                 "right, bottom], or {x, y, width, height}, in pixels of the screen, or of the "   \
                 "picture image_id"                                                                \
    }
#define HF_PARAM_CROP                                                                              \
    {                                                                                              \
        .name = "crop", .type = HF_TYPE_STRING, .choices = hf_crop_choices,                        \
        .fallback = "\"none\"",                                                                    \
        .about = "changed: show only what has changed, with a margin, unless that is most of it"   \
    }
extern const HfParam hf_ignored_area;
extern const char *const hf_crop_choices[];

#define HF_RESULT_CHANGED                                                                          \
    {.name = "changed",                                                                            \
     .type = HF_TYPE_ARRAY,                                                                        \
     .items = &hf_changed_rect,                                                                    \
     .about = "What looks different, in pixels of the screen; neighbours in one, at most 32. "     \
              "Missing where there is nothing to compare with"},                                   \
    {                                                                                              \
        .name = "changed_share", .type = HF_TYPE_NUMBER,                                           \
        .about = "How much of what was looked at looks different, 0 to 1"                          \
    }
extern const HfParam hf_changed_rect;

/* Those two go with `since`, the parameter that names what to compare with. */
gboolean hf_picture_check_since(const HfCall *call, const char *since, GError **error);

/* The parts that do not count, in pixels of the screen; NULL: none. */
gboolean hf_picture_get_ignored(const HfCall *call, GArray **ret_areas, GError **error);

/* A capture beside the picture `image_id`. */
typedef struct HfPictureChange {
    GBytes *look;   /* of the capture; NULL when there is no image */
    gboolean known; /* they show the same part, so that it is known what has changed */
    gboolean same;  /* not one pixel is another, ignored or not */
    GArray *rects;  /* of HfRect, in pixels of the screen */
    double share;   /* of what was looked at */
} HfPictureChange;

void hf_picture_change_clear(HfPictureChange *change);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPictureChange, hf_picture_change_clear)

/* `image_id` may be NULL, or of a picture that is not known any more. */
void hf_picture_compare(HfDesktop *desktop, const char *image_id, const HfPicture *picture,
                        const GArray *ignore, HfPictureChange *ret_change);
/* Whether nothing that counts looks different, and the caller has that picture: a new one would
 * tell nothing. It is what there was before then. */
gboolean hf_picture_is_unchanged(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, const HfPicture *picture,
                                 const HfPictureChange *change, HfImageSpace *ret_space);
/* The result of such a one, without the image. */
json_t *hf_picture_unchanged_to_json(const HfCall *call, const char *image_id,
                                     const HfImageSpace *space, const HfWindow *window);
/* Says it in a result: nothing when it is not known. */
void hf_picture_report_change(const HfPictureChange *change, json_t *result);
/* Cuts the picture to what has changed, unless that is most of it, or not known. */
void hf_picture_crop_to_change(HfPicture *picture, const HfPictureChange *change);
