/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what is seen in a row of pictures has come to rest. What stirs without anything happening
 * does not count: a place that shows one of a few pictures again and again (a caret, a light), a
 * thin upright line that fades in and out, a small place that changes at regular intervals (a
 * clock). Pure: pictures and times come from the caller. */
#pragma once

#include "shared/base/geometry.h"

typedef enum HfChangingAreaKind {
    HF_CHANGING_AREA_CHANGES, /* counts */
    HF_CHANGING_AREA_BLINKS,
    HF_CHANGING_AREA_CARET,
    HF_CHANGING_AREA_TICKS,
    HF_CHANGING_AREA_KIND_COUNT,
} HfChangingAreaKind;

/* A place that has looked different more than once, or once. */
typedef struct HfChangingArea {
    HfRect bounds; /* pixels of the picture */
    HfChangingAreaKind kind;
    guint changes;            /* how often it was seen to look different */
    gint64 first_us, last_us; /* when it first and last did */
} HfChangingArea;

const char *hf_changing_area_kind_name(HfChangingAreaKind kind);

typedef struct HfSettleDetector HfSettleDetector;

HfSettleDetector *hf_settle_detector_new(void);
void hf_settle_detector_free(HfSettleDetector *rest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSettleDetector, hf_settle_detector_free)

/* The next picture, as a sheet (hand/pixels/compare/picture-hash.h). The first one, and one of
 * another size, counts as changed, since there is nothing to compare it with. What lies in `ignore`
 * (HfRect, may be NULL) never does. */
void hf_settle_detector_add_picture(HfSettleDetector *rest, GBytes *sheet, const GArray *ignore,
                                    gint64 now_us);
/* Something else has happened that counts. */
void hf_settle_detector_disturb(HfSettleDetector *rest, gint64 now_us);
/* When something that counts happened last; 0: never. What turns out to be noise never has. */
gint64 hf_settle_detector_get_since(const HfSettleDetector *rest);
/* The places (HfChangingArea) that are noise, or those that count and have changed at or after
 * `since_us`.
 */
GArray *hf_settle_detector_list_areas(const HfSettleDetector *rest, gboolean noise,
                                      gint64 since_us);
