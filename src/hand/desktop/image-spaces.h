/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers pictures that were given out, so that a caller can use a picture's own coordinates. A
 * point is refused when the picture is out of date: the screen has another size, or the window in
 * it has moved. Other drawing since then is not a reason. */
#pragma once

#include "hand/desktop/desktop.h"

/* What is known about a picture. */
typedef struct HfImageSpace {
    HfRect area;        /* the part of the screen that it shows, physical pixels */
    HfRect seen;        /* what was captured for it: `area`, or more when it was cropped */
    HfSize size;        /* of the picture; larger or smaller than `area` when it was scaled */
    HfSize screen;      /* the size of the screen at that time */
    guint32 window;     /* the window that it shows; 0: the screen */
    HfRect window_area; /* all of that window; `area` is clipped to the screen */
    gboolean cursor;    /* the pointer was drawn into it */
    gboolean grey;
    gboolean described;    /* the caller got its description only */
    guint64 change_serial; /* hf_screen_get_change_serial at that time */
    double display_scale;  /* as in HfScreen */
    gint64 time_ms;        /* wall clock */
} HfImageSpace;

HfImageSpaces *hf_image_spaces_new(void);
void hf_image_spaces_free(HfImageSpaces *images);
/* Keeps the hashes of the last few pictures only. */
void hf_image_spaces_trim(HfImageSpaces *images);

/* Remembers a picture, and forgets the oldest of more than HF_LIMIT_IMAGES_KEPT. Returns its id,
 * "i_...", which no other picture of this desktop ever had. Free with g_free. */
char *hf_image_spaces_add(HfDesktop *desktop, const HfImageSpace *space);

/* DESKTOP_STALE_SNAPSHOT when the id is not known (any more). */
gboolean hf_image_spaces_find(HfDesktop *desktop, const char *image_id, HfImageSpace *ret_space,
                              GError **error);

/* Keeps the hash of all of `seen` with a picture (hand/pixels/compare/picture-hash.h). The oldest
 * are forgotten when all of them are more than HF_LIMIT_LOOKS_BYTES. */
void hf_image_spaces_set_hash(HfDesktop *desktop, const char *image_id, GBytes *look);
/* NULL when it is not known (any more). */
GBytes *hf_image_spaces_dup_hash(HfDesktop *desktop, const char *image_id);
/* The picture looks the same at this later change serial. */
void hf_image_spaces_set_serial(HfDesktop *desktop, const char *image_id, guint64 change_serial);
/* The picture that belongs to a snapshot of elements; NULL: unknown. */
void hf_image_spaces_note_snapshot(HfDesktop *desktop, guint snapshot, const char *image_id);
char *hf_image_spaces_dup_of_snapshot(HfDesktop *desktop, guint snapshot);

/* The physical pixel under the centre of a pixel of the picture. INVALID_PARAMS when the point is
 * outside of the picture. DESKTOP_STALE_SNAPSHOT when the id is not known, the screen has another
 * size, or the window was moved, resized or closed. */
gboolean hf_image_spaces_map_point(HfDesktop *desktop, const char *image_id, double x, double y,
                                   HfPoint *ret_point, GError **error);

/* The physical pixels under a part of the picture, from corners x0, y0 up to but without x1, y1; at
 * least one pixel. The part is clipped to the picture; INVALID_PARAMS when nothing is left. */
gboolean hf_image_spaces_map_area(HfDesktop *desktop, const char *image_id, const double corners[4],
                                  HfRect *ret_area, GError **error);
