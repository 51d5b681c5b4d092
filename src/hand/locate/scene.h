/* SPDX-License-Identifier: Apache-2.0 */
/* What is on the screen as a person sees it: things, each with all that it may be called. Made of
 * the fused tree. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/windows.h"
#include "hand/locate/words.h"
#include "shared/base/deadline.h"
#include "shared/image/image.h"

/* Where a text of a thing is from. */
typedef enum HfTextOf {
    HF_TEXT_OF_NAME,
    HF_TEXT_OF_DESCRIPTION,
    HF_TEXT_OF_VALUE,
    HF_TEXT_OF_LABEL,    /* beside it */
    HF_TEXT_OF_COLUMN,   /* the header above it */
    HF_TEXT_OF_LOOKS,    /* what its picture shows */
    HF_TEXT_OF_CONTENTS, /* of a group: what is in it */
    HF_TEXT_OF_COUNT,
} HfTextOf;

#define HF_THING_TEXTS 8

typedef struct HfThing {
    int node; /* of the tree; HF_NODE_NONE: it is in no tree, as the frames of windows */
    int role;
    guint64 states;
    HfRect box; /* what can be seen of it */
    guint32 window;
    HfSource source;
    double read; /* how well its name was read; 1: it was told */
    int row; /* the row or card that it is in: its node, or as families.h numbers it; HF_NODE_NONE
              */
    int as_row;       /* the row that it is itself; HF_NODE_NONE */
    gboolean part;    /* a place in its node that nobody tells of: no reference means it */
    gboolean behind;  /* not in the window in front */
    gboolean area;    /* it only holds others */
    gboolean grouped; /* nobody tells of it: it is made of what belongs together */
    gboolean bar;     /* it holds a line of things to use */
    gboolean tools;   /* most of them are drawings */
    gboolean leads;   /* most of them are links: it leads elsewhere */
    gboolean chip;    /* one of several words side by side to be pressed */
    gboolean opened;  /* a menu whose entries show */
    gboolean loose;   /* a text that may be on anything: only painted, or of a page */
    gboolean ticks;   /* a cell of a column that is ticked */
    gboolean has_value;
    gboolean current;     /* the tab whose page shows, as Qt tells it; the row with the tick */
    gboolean around_page; /* of the browser, while it shows a page */
    gboolean stands_out;  /* it is on another ground than all others in its strip */
    gboolean listed;      /* one of a strip that goes down, of which one stands out: a list */
    gboolean tabbed;      /* one of such a strip that goes across: tabs, pages */
    gboolean faint;       /* its letters are fainter than those beside it */
    struct {
        HfName *name;
        double worth;
        HfTextOf of;
    } texts[HF_THING_TEXTS];
    int text_count;
} HfThing;

typedef struct HfScene {
    const HfTree *tree;
    GArray *things; /* of HfThing, as in the tree */
    HfRect front;   /* the frame of the window in front; empty: unknown */
    guint32 front_window;
    gboolean has_tool_bar;  /* the program tells of one, and not only the browser around a page */
    HfRect page;            /* what the browser in front shows; empty: none */
    const HfImage *picture; /* borrowed; NULL: none */
    HfRect picture_area;
    const HfDeadline *deadline; /* of weighing; NULL: none */
} HfScene;

typedef struct HfSceneScope {
    const GPtrArray *windows; /* of HfWindow, topmost first; NULL: unknown, as in a given picture */
    guint32 front;            /* 0: none */
    const HfImage *picture;   /* of what is looked at, for symbols without words; NULL: none */
    HfRect picture_area;      /* what of the screen it shows */
    HfRect region;            /* only what lies in it; empty: everything */
} HfSceneScope;

HfScene *hf_scene_new(const HfTree *tree, const HfSceneScope *scope);
void hf_scene_free(HfScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScene, hf_scene_free)

static inline const HfThing *hf_scene_get(const HfScene *scene, int index)
{
    return &g_array_index(scene->things, HfThing, index);
}

static inline HfPoint hf_rect_middle(HfRect rect)
{
    return (HfPoint){rect.x + rect.width / 2, rect.y + rect.height / 2};
}

/* Only its picture is known. */
static inline gboolean hf_thing_is_painted(const HfThing *thing)
{
    return (thing->source & (HF_SOURCE_ACCESS | HF_SOURCE_DOM)) == 0;
}

void hf_thing_add_text(HfThing *thing, const char *text, HfTextOf of);

/* One more, at a place in another: the plus of a field, the cross of a tab. It is a button without
 * a name, which is in the same row. */
HfThing hf_thing_part(const HfThing *whole, HfRect box);
/* Whether one is the other, or its text: nobody would tell them apart by pointing. */
gboolean hf_things_are_one(const HfThing *a, const HfThing *b);
