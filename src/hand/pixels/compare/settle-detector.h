/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a series of pictures has settled. Noise does not count: an area that shows the same few
 * pictures again and again (a caret, a light), a thin vertical line that fades in and out, or a
 * small area that changes at regular intervals (a clock). Pure: pictures and times come from the
 * caller. */
#pragma once

#include "shared/base/geometry.h"

typedef enum HfChangingAreaKind {
    HF_CHANGING_AREA_CHANGES, /* counts */
    HF_CHANGING_AREA_BLINKS,
    HF_CHANGING_AREA_CARET,
    HF_CHANGING_AREA_TICKS,
    HF_CHANGING_AREA_KIND_COUNT,
} HfChangingAreaKind;

/* An area that has changed at least once. */
typedef struct HfChangingArea {
    HfRect bounds; /* pixels of the picture */
    HfChangingAreaKind kind;
    guint changes;
    gint64 first_us, last_us; /* its first and last change */
} HfChangingArea;

const char *hf_changing_area_kind_name(HfChangingAreaKind kind);

typedef struct HfSettleDetector HfSettleDetector;

HfSettleDetector *hf_settle_detector_new(void);
void hf_settle_detector_free(HfSettleDetector *detector);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSettleDetector, hf_settle_detector_free)

/* Adds the hash of the next picture (hand/pixels/compare/picture-hash.h). The first one, and one of
 * another size, counts as a change. Changes in `ignore` (HfRect, may be NULL) do not. */
void hf_settle_detector_add_picture(HfSettleDetector *detector, GBytes *hash, const GArray *ignore,
                                    gint64 now_us);
/* Something else has changed. */
void hf_settle_detector_disturb(HfSettleDetector *detector, gint64 now_us);
/* The time of the last change that is not noise; 0: never. */
gint64 hf_settle_detector_get_since(const HfSettleDetector *detector);
/* The areas (HfChangingArea) that are noise, or those that count and have changed at or after
 * `since_us`. */
GArray *hf_settle_detector_list_areas(const HfSettleDetector *detector, gboolean noise,
                                      gint64 since_us);
