/* SPDX-License-Identifier: Apache-2.0 */
/* The elements on the screen at one time, as programs report them. Parents come before their
 * children, in the program's order. A tree is built once and never changes after hf_tree_finish:
 * any thread may read it then. */
#pragma once

#include <jansson.h>

#include "shared/base/geometry.h"
#include "shared/base/types.h"

typedef struct HfTree HfTree;

/* Where an element was found; several sources may agree. */
typedef enum HfSource {
    HF_SOURCE_ACCESS = 1 << 0, /* "ax": the program's accessibility tree */
    HF_SOURCE_OCR = 1 << 1,
    HF_SOURCE_DOM = 1 << 2,
    HF_SOURCE_PIXELS = 1 << 3,
} HfSource;

/* The interfaces of an element on the accessibility bus. */
typedef enum HfAbility {
    HF_ABILITY_COMPONENT = 1 << 0,
    HF_ABILITY_ACTION = 1 << 1,
    HF_ABILITY_TEXT = 1 << 2,
    HF_ABILITY_EDITABLE_TEXT = 1 << 3,
    HF_ABILITY_VALUE = 1 << 4,
    HF_ABILITY_SELECTION = 1 << 5,
    HF_ABILITY_TABLE = 1 << 6,
    HF_ABILITY_DOCUMENT = 1 << 7,
    HF_ABILITY_COLLECTION = 1 << 8,
} HfAbility;

/* Why a tree is incomplete. */
typedef enum HfTruncation {
    HF_TRUNCATED_DEPTH = 1 << 0,
    HF_TRUNCATED_NODES = 1 << 1,
    HF_TRUNCATED_TIME = 1 << 2,
    HF_TRUNCATED_PROGRAM = 1 << 3, /* the program does not answer */
    HF_TRUNCATED_CELLS = 1 << 4,   /* a table that is too large; reported as "nodes" */
} HfTruncation;

/* What the program did not answer about an element. Nothing may be concluded from it. */
typedef enum HfMissing {
    HF_MISSING_NAME = 1 << 0,
    HF_MISSING_BOUNDS = 1 << 1,
    HF_MISSING_CHILDREN = 1 << 2, /* or the states of a child, which was left out then */
    HF_MISSING_ROLE = 1 << 3,
} HfMissing;

typedef struct HfTreeProgram {
    const char *bus; /* its unique name on the accessibility bus; "" for other sources */
    const char *name;
    const char *toolkit; /* "gtk", "GTK", "Qt", "Chromium", ...; "": unknown */
    const char *version; /* of the toolkit */
    int pid;             /* 0: unknown */
    HfTruncation truncated;
} HfTreeProgram;

#define HF_NODE_NONE (-1)

/* A word of a name that was read from pixels. */
typedef struct HfNodePart {
    int begin, end; /* bytes of the name */
    HfRect bounds;
} HfNodePart;

/* The tree owns the texts; NULL means "not asked" or "none". */
struct HfNode {
    int parent, first_child, next_sibling; /* indices, or HF_NODE_NONE; set by the tree */
    int depth;                             /* 0: a window, or another top-level object */
    int program;                           /* index */
    const char *path;                      /* of its object on the bus */
    int role;                              /* see roles.h */
    guint64 states;                        /* see states.h */
    const char *name, *description, *identifier;
    const char *dom;     /* its tag in a web page: "input#mail[email]" */
    const char *value;   /* its text or number; never that of a password field */
    const char *actions; /* names, separated by '\n' */
    HfAbility abilities;
    HfSource source;
    HfRect bounds;   /* physical screen pixels; empty: none */
    guint32 window;  /* the id of its window; 0: unknown */
    gboolean secure; /* a password field */
    gboolean more;   /* it has children that were not read */
    HfMissing missing;
    gboolean pops_up;        /* a separate popup window, wherever its parent is */
    double confidence;       /* of a name that was read from pixels, 0 to 1; 0: reported */
    const HfNodePart *parts; /* the words of such a name; not in the JSON */
    int part_count;
};

/* Whether it was found in pixels only: no program can be asked about it, or act on it. */
static inline gboolean hf_node_is_painted(const HfNode *node)
{
    return (node->source & (HF_SOURCE_OCR | HF_SOURCE_PIXELS)) != 0 &&
           (node->source & (HF_SOURCE_ACCESS | HF_SOURCE_DOM)) == 0;
}

/* Its name; NULL when it has none, or only its widget class, as GTK 4 reports it. */
const char *hf_node_label(const HfNode *node);

HfTree *hf_tree_new(void);
/* An unfinished copy, with the same nodes at the same indices. */
HfTree *hf_tree_new_from(const HfTree *tree);
HfTree *hf_tree_ref(HfTree *tree);
void hf_tree_unref(HfTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTree, hf_tree_unref)

/* Both copy their argument with its texts, and return its index. Add a node after its parent. */
int hf_tree_add_program(HfTree *tree, const HfTreeProgram *program);
int hf_tree_add(HfTree *tree, int parent, const HfNode *node);
/* Completes an added node, before finish. Valid until the next add. */
HfNode *hf_tree_edit(HfTree *tree, int index);
/* Copies a text for the tree's lifetime, equal ones once. NULL gives NULL. */
const char *hf_tree_intern(HfTree *tree, const char *text);
void hf_tree_truncate(HfTree *tree, HfTruncation why);
/* How many D-Bus calls it took. */
void hf_tree_note_calls(HfTree *tree, guint calls);
guint hf_tree_calls(const HfTree *tree);
/* Sorts the nodes, each right before its children; the tree is read-only from now on. */
void hf_tree_finish(HfTree *tree);

int hf_tree_size(const HfTree *tree);
const HfNode *hf_tree_get(const HfTree *tree, int index);
int hf_tree_programs(const HfTree *tree);
const HfTreeProgram *hf_tree_get_program(const HfTree *tree, int index);
/* Of the tree, or of any of its programs. */
HfTruncation hf_tree_get_truncated(const HfTree *tree);
/* Whether an element that is not in the tree may exist nevertheless. Cells of huge tables do not
 * count, and a silent program counts only if it `alone` was read: otherwise one of them would make
 * every answer uncertain. */
gboolean hf_tree_is_cut(const HfTree *tree, gboolean alone);
/* The node of this object, or HF_NODE_NONE. */
int hf_tree_find(const HfTree *tree, const char *bus, const char *path);
/* The subtree of `index` is [index, end). */
int hf_tree_end(const HfTree *tree, int index);

/* The focused element: a field before anything else (Qt also marks the page tab), then the
 * innermost; HF_NODE_NONE: none. */
int hf_tree_find_focused(const HfTree *tree);
/* Whether a person could see it: it has bounds, and the visible states of its toolkit. */
gboolean hf_tree_is_visible(const HfTree *tree, int index);

json_t *hf_truncation_to_json(HfTruncation truncated); /* array of words */
json_t *hf_source_to_json(HfSource source);
