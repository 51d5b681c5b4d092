/* SPDX-License-Identifier: Apache-2.0 */
/* What is on the screen, as one flat list of elements with every text that a person may call them
 * by. It is made from the fused tree. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/locate/name-match.h"
#include "hand/locate/tree-merge.h"
#include "shared/base/deadline.h"
#include "shared/image/image.h"

/* Where a text of an element comes from. */
typedef enum HfTextSource {
    HF_TEXT_SOURCE_NAME,
    HF_TEXT_SOURCE_DESCRIPTION,
    HF_TEXT_SOURCE_VALUE,
    HF_TEXT_SOURCE_LABEL, /* a label beside it */
    HF_TEXT_SOURCE_ICON,  /* what its picture shows */
    HF_TEXT_SOURCE_COUNT,
} HfTextSource;

#define HF_SCENE_TEXTS 8

typedef struct HfSceneElement {
    int node; /* of the tree */
    int role;
    guint64 states;
    HfRect box; /* its visible part */
    guint32 window;
    HfSource source;
    double read_confidence; /* of its text; 1 when a program reports it */
    int row;                /* the node of the row that it is in; HF_NODE_NONE: none */
    int as_row;             /* the row that it is itself; HF_NODE_NONE: it is not a row */
    gboolean behind;        /* not in the front window */
    gboolean container;     /* it only holds others */
    gboolean outside_page;  /* it belongs to the browser around a page */
    struct {
        HfElementName *name;
        double worth;      /* how much a match with this text counts */
        gboolean doubtful; /* a symbol that was recognised without certainty */
        HfTextSource source;
    } texts[HF_SCENE_TEXTS];
    int text_count;
} HfSceneElement;

typedef struct HfScene {
    const HfTree *tree;
    GArray *elements;       /* of HfSceneElement, in the order of the tree */
    gboolean cut;           /* there are more */
    HfRect front;           /* the frame of the front window; empty: unknown */
    HfRect page;            /* the page in the front browser window; empty: none */
    const HfImage *picture; /* borrowed; NULL: none */
    HfRect picture_area;
    const HfDeadline *deadline; /* of matching; NULL: none */
} HfScene;

typedef struct HfSceneScope {
    const GPtrArray *windows; /* of HfWindow, topmost first; NULL: unknown, as in a given picture */
    guint32 front;            /* 0: none */
    const HfImage *picture;   /* for icons; NULL: none */
    HfRect picture_area;      /* the part of the screen that it shows */
    HfRect region;            /* only what lies in it; empty: everything */
} HfSceneScope;

HfScene *hf_scene_new(const HfTree *tree, const HfSceneScope *scope);
void hf_scene_free(HfScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScene, hf_scene_free)

static inline HfSceneElement *hf_scene_get(const HfScene *scene, int index)
{
    return &g_array_index(scene->elements, HfSceneElement, index);
}

/* No program reports it: only its picture is known. */
static inline gboolean hf_scene_element_is_painted(const HfSceneElement *element)
{
    return (element->source & (HF_SOURCE_ACCESS | HF_SOURCE_DOM)) == 0;
}

/* Whether both are one thing to a person who points at it. */
gboolean hf_scene_elements_coincide(const HfSceneElement *a, const HfSceneElement *b);
/* Whether an element coincides with one of the items: structs that begin with the index of one. */
gboolean hf_scene_has_coinciding(const HfScene *scene, const GArray *items, int element);
