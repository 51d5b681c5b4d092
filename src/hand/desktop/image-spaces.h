/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures that were given out, so that a caller may answer in a picture's own coordinates. A
 * point is refused when the picture no longer says where things are: the screen has another
 * size, or the window in it has moved. That something was drawn since then is no reason. */
#pragma once

#include "hand/desktop/desktop.h"

/* What is remembered of a picture. */
typedef struct HfImageSpace {
    HfRect area;           /* the part of the screen that it shows, physical pixels */
    HfRect seen;           /* what was looked at for it: `area`, or more when it was cropped */
    HfSize size;           /* of the picture; larger or smaller than `area` when it was scaled */
    HfSize screen;         /* the whole screen at that time */
    guint32 window;        /* the window that it shows; 0 when it is one of the screen */
    HfRect window_area;    /* where all of that window was; `area` is cut to the screen */
    gboolean cursor;       /* the pointer was drawn into it */
    gboolean grey;         /* it has no colours */
    gboolean described;    /* only its description was given out, without the picture */
    guint64 change_serial; /* hf_screen_get_change_serial at that time */
    double display_scale;  /* as in HfScreen */
    gint64 time_ms;        /* wall clock */
} HfImageSpace;

HfImageSpaces *hf_image_spaces_new(void);
void hf_image_spaces_free(HfImageSpaces *images);
/* Nothing was asked for a while: keeps the looks of the last few pictures only. */
void hf_image_spaces_trim(HfImageSpaces *images);

/* Remembers a picture, forgetting the oldest of more than HF_LIMIT_IMAGES_KEPT. Returns its id,
 * "i_...", which no other picture of this desktop ever had; free with g_free. */
char *hf_image_spaces_add(HfDesktop *desktop, const HfImageSpace *space);

/* DESKTOP_STALE_SNAPSHOT when the id is not known (any more). */
gboolean hf_image_spaces_find(HfDesktop *desktop, const char *image_id, HfImageSpace *ret_space,
                              GError **error);

/* Keeps with a picture what all of `seen` looked like: bytes that only their maker can read
 * (hand/pixels/compare/picture-hash.h). The oldest are forgotten when all of them are more than
 * HF_LIMIT_LOOKS_BYTES.
 */
void hf_image_spaces_set_look(HfDesktop *desktop, const char *image_id, GBytes *look);
/* NULL when it is not known (any more). */
GBytes *hf_image_spaces_dup_look(HfDesktop *desktop, const char *image_id);
/* A picture looks the same at another count of changes. */
void hf_image_spaces_set_serial(HfDesktop *desktop, const char *image_id, guint64 change_serial);
/* Which picture belongs to a snapshot of elements; NULL: none that is known. */
void hf_image_spaces_note_snapshot(HfDesktop *desktop, guint snapshot, const char *image_id);
char *hf_image_spaces_dup_of_snapshot(HfDesktop *desktop, guint snapshot);

/* The physical pixel under the centre of a pixel of the picture. INVALID_PARAMS when the point is
 * outside of the picture; DESKTOP_STALE_SNAPSHOT when the id is not known, the screen has another
 * size now, or the window was moved, resized or closed. */
gboolean hf_image_spaces_map_point(HfDesktop *desktop, const char *image_id, double x, double y,
                                   HfPoint *ret_point, GError **error);

/* The physical pixels under the part of a picture from x0, y0 up to but without x1, y1; at least
 * one pixel. Parts outside of the picture are cut off; INVALID_PARAMS when nothing is left. */
gboolean hf_image_spaces_map_area(HfDesktop *desktop, const char *image_id, const double corners[4],
                                  HfRect *ret_area, GError **error);
