/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody says of an element, in English or Chinese words, understood: what it is called and
 * what it is, which one of several, how it is, and where it lies, as seen from others. Most words
 * can be meant in more than one way ("the Second tab", "Sign in"), so there are several readings;
 * what is on the screen decides between them. Pure. docs/locating.md has the words. */
#pragma once

#include <glib.h>

#include "hand/locate/colours.h"
#include "hand/locate/kinds.h"
#include "hand/locate/words.h"

/* Where in something; several at once are a corner. */
typedef enum HfSpot {
    HF_SPOT_LEFT = 1 << 0,
    HF_SPOT_RIGHT = 1 << 1,
    HF_SPOT_TOP = 1 << 2,
    HF_SPOT_BOTTOM = 1 << 3,
    HF_SPOT_MIDDLE = 1 << 4,
} HfSpot;

typedef enum HfTieKind {
    HF_TIE_NONE,
    HF_TIE_LEFT,
    HF_TIE_RIGHT,
    HF_TIE_ABOVE,
    HF_TIE_BELOW,
    HF_TIE_BESIDE,
    HF_TIE_BETWEEN,
    HF_TIE_IN,
    HF_TIE_ROW,    /* in the same row */
    HF_TIE_OF,     /* it belongs to it: in its row, or near it */
    HF_TIE_COLUMN, /* in the same column */
    HF_TIE_SPOT,   /* at a corner or an edge of it */
    HF_TIE_NOT,    /* it is not that, nor in it */
    HF_TIE_COUNT,
} HfTieKind;

typedef enum HfCondition {
    HF_IS_CHECKED = 1 << 0,
    HF_IS_UNCHECKED = 1 << 1,
    HF_IS_ENABLED = 1 << 2,
    HF_IS_DISABLED = 1 << 3,
    HF_IS_FOCUSED = 1 << 4,
    HF_IS_EXPANDED = 1 << 5,
    HF_IS_COLLAPSED = 1 << 6,
    HF_IS_EMPTY = 1 << 7,
    HF_IS_ON = 1 << 8, /* "enabled" of a switch may mean that it is on */
    HF_IS_WORDLESS = 1 << 9,
    HF_IS_UPRIGHT = 1 << 10,
    HF_IS_LEVEL = 1 << 11,
    HF_IS_TICKED = 1 << 12, /* checked, and not merely chosen */
} HfCondition;

typedef struct HfDescription HfDescription;

/* How it lies to another thing. */
typedef struct HfTie {
    HfTieKind kind;
    HfSpot spot;
    HfDescription *anchor, *other; /* `other` of BETWEEN */
} HfTie;

/* The one in the middle of an odd number. */
#define HF_NTH_MIDDLE 10000

/* What one reading has at most. */
#define HF_TIES 3

/* One way to understand it. */
typedef struct HfReading {
    double prior;      /* how likely that is meant, up to 1 */
    HfName *name;      /* NULL: any */
    HfKind kind;       /* ANY: anything */
    int nth;           /* in reading order from 1 on, or from the end: -1 is the last; 0: unsaid */
    HfSpot spot;       /* of its window */
    gboolean nameless; /* it was called something, which is left out here */
    gboolean kindless; /* nor is it known what it is, by the word that was said */
    gboolean literal;  /* all of it is taken for the name */
    guint is;          /* HfCondition */
    HfColour colour;   /* NONE: unsaid */
    HfTie ties[HF_TIES];
    int tie_count;
} HfReading;

struct HfDescription {
    char *text;
    GPtrArray *readings; /* of HfReading, most likely first */
    int references;      /* readings share what they are tied to */
};

/* INVALID_PARAMS when it is not UTF-8 or says nothing; LIMIT_EXCEEDED when it is too long. */
HfDescription *hf_description_new(const char *text, GError **error);
void hf_description_free(HfDescription *description);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDescription, hf_description_free)

/* How a reading was understood, in short: for answers and tests. */
char *hf_reading_to_text(const HfReading *reading);
