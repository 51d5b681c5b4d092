/* SPDX-License-Identifier: Apache-2.0 */
/* Which things of a scene a description means, best first, each with how sure that is and why.
 * Pure: the same scene and words give the same answer. */
#pragma once

#include "hand/locate/description.h"
#include "hand/locate/scene.h"

/* Why a thing was chosen. */
typedef struct HfMark {
    double score;             /* from 0 to 1 */
    const HfReading *reading; /* by which it got that */
    HfNameHow how;            /* its name fits */
    HfTextOf of;              /* which of its texts it was */
    int text;                 /* the same as an index */
    double kind;              /* how well it is what was said */
    int anchors[HF_TIES];     /* things that it is tied to; -1: none */
    int group;                /* how many such things there are, of which it is the nth */
} HfMark;

typedef struct HfPicked {
    int thing;
    double confidence; /* from 0 to 1 */
    HfRect box;        /* of the words, when they are only a part of a line that was read */
    HfMark mark;
} HfPicked;

typedef struct HfPick {
    GArray *found;      /* of HfPicked, best first; one for each place */
    gboolean confident; /* the first one is clear, and well ahead of the next */
} HfPick;

HfPick *hf_scene_pick(const HfScene *scene, const HfDescription *description);
void hf_pick_free(HfPick *pick);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPick, hf_pick_free)

/* What speaks for it, in words, each a line of its own; `chinese`, or else English. */
char *hf_picked_reasons(const HfScene *scene, const HfPicked *picked, gboolean chinese);

/* ---- the parts of it ---- */

/* How well each thing fits a reading by what it is called and what it is, without its ties: fills
 * `marks`, one for each thing. */
void hf_weigh(const HfScene *scene, const HfReading *reading, HfMark *marks);
/* The same for all that the readings say. */
void hf_weigh_all(const HfScene *scene, const HfDescription *description, HfMark *marks);
/* Lowers what does not lie as the tie says. `number`: which tie of the reading. */
void hf_tie_things(const HfScene *scene, const HfTie *tie, int number, HfMark *marks);
/* Lowers what is not at the spot of `area`; an empty one is the window in front. */
void hf_spot_things(const HfScene *scene, HfSpot spot, HfRect area, HfMark *marks);
/* The same for what is not in one half of the window in front, or of its page. */
void hf_half_things(const HfScene *scene, HfSpot spot, HfMark *marks);
/* Lowers the best that are not in the nth line of them: "the second row". FALSE: they are rows of
 * something that tells its rows, or no such line is there. */
gboolean hf_line_things(const HfScene *scene, const HfReading *line, HfMark *marks);
/* The same for columns: "the left column". */
gboolean hf_column_things(const HfScene *scene, const HfReading *column, HfMark *marks);
/* Lowers all but the nth of the best. */
void hf_count_things(const HfScene *scene, int nth, HfMark *marks);
