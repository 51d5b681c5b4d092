/* Whether what is seen in a row of pictures has come to rest. What stirs without anything happening
 * does not count: a place that shows one of a few pictures again and again (a caret, a light), a
 * thin upright line that fades in and out, a small place that changes at regular intervals (a
 * clock). Pure: pictures and times come from the caller. */
#pragma once

#include "base/geometry.h"

typedef enum HfStirKind {
    HF_STIR_CHANGES, /* counts */
    HF_STIR_BLINKS,
    HF_STIR_CARET,
    HF_STIR_TICKS,
    HF_STIR_KIND_COUNT,
} HfStirKind;

/* A place that has looked different more than once, or once. */
typedef struct HfStir {
    HfRect bounds; /* pixels of the picture */
    HfStirKind kind;
    guint changes;            /* how often it was seen to look different */
    gint64 first_us, last_us; /* when it first and last did */
} HfStir;

const char *hf_stir_kind_name(HfStirKind kind);

typedef struct HfRest HfRest;

HfRest *hf_rest_new(void);
void hf_rest_free(HfRest *rest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRest, hf_rest_free)

/* The next picture, as a sheet (vision/sheet.h). The first one, and one of another size, counts as
 * changed, since there is nothing to compare it with. What lies in `ignore` (HfRect, may be NULL)
 * never does. */
void hf_rest_see(HfRest *rest, GBytes *sheet, const GArray *ignore, gint64 now_us);
/* Something else has happened that counts. */
void hf_rest_disturb(HfRest *rest, gint64 now_us);
/* When something that counts happened last; 0: never. What turns out to be noise never has. */
gint64 hf_rest_get_since(const HfRest *rest);
/* The places (HfStir) that are noise, or those that count and have changed at or after `since_us`.
 */
GArray *hf_rest_list(const HfRest *rest, gboolean noise, gint64 since_us);
