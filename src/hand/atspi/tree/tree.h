/* SPDX-License-Identifier: Apache-2.0 */
/* What is on the screen by structure: the elements that programs say they have, read at one time.
 * Parents stand before their children, in the order in which the program has them. A tree is put
 * together once and never changed after hf_tree_finish: any thread may then read it. */
#pragma once

#include <jansson.h>

#include "shared/base/geometry.h"
#include "shared/base/types.h"

typedef struct HfTree HfTree;

/* Where an element is known from; several when they agree. */
typedef enum HfSource {
    HF_SOURCE_ACCESS = 1 << 0, /* "ax": the program's accessibility tree */
    HF_SOURCE_OCR = 1 << 1,
    HF_SOURCE_DOM = 1 << 2,
    HF_SOURCE_PIXELS = 1 << 3,
} HfSource;

/* What can be asked of an element: the interfaces that it has on the accessibility bus. */
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

/* Why something is not all there. */
typedef enum HfTruncation {
    HF_TRUNCATED_DEPTH = 1 << 0,
    HF_TRUNCATED_NODES = 1 << 1,
    HF_TRUNCATED_TIME = 1 << 2,
    HF_TRUNCATED_PROGRAM = 1 << 3, /* the program does not answer */
    HF_TRUNCATED_CELLS = 1 << 4,   /* of a table without end; told as "nodes" */
} HfTruncation;

/* What was asked of an element, and not answered. It may be anything: nothing follows from it. */
typedef enum HfMissing {
    HF_MISSING_NAME = 1 << 0,
    HF_MISSING_BOUNDS = 1 << 1,
    HF_MISSING_CHILDREN = 1 << 2, /* or the states of one of them, so that it was left out */
    HF_MISSING_ROLE = 1 << 3,
} HfMissing;

typedef struct HfTreeProgram {
    const char *bus; /* its unique name on the accessibility bus; "" for other sources */
    const char *name;
    const char *toolkit; /* "gtk", "GTK", "Qt", "Chromium", ...; "" when it does not say */
    const char *version; /* of the toolkit */
    int pid;             /* 0: unknown */
    HfTruncation truncated;
} HfTreeProgram;

#define HF_NODE_NONE (-1)

/* A word of a name that was read from a picture. */
typedef struct HfNodePart {
    int begin, end; /* bytes of the name */
    HfRect bounds;
} HfNodePart;

/* Texts belong to the tree; NULL stands for "not asked" or "has none". */
struct HfNode {
    int parent, first_child, next_sibling; /* indices, or HF_NODE_NONE; set by the tree */
    int depth;                             /* 0: a window, or what else a program shows */
    int program;                           /* index */
    const char *path;                      /* of its object on the bus */
    int role;                              /* see roles.h */
    guint64 states;                        /* see states.h */
    const char *name, *description, *identifier;
    const char *dom;     /* what it is in its page: "input#mail[email]" */
    const char *value;   /* text or number that it holds; never of a secure field */
    const char *actions; /* names, with '\n' between them */
    HfAbility abilities;
    HfSource source;
    HfRect bounds;   /* physical pixels of the screen; empty when it has no place */
    guint32 window;  /* the desktop's id of the window that it is in; 0: unknown */
    gboolean secure; /* a password field */
    gboolean more;   /* it has children that were not read */
    HfMissing missing;
    gboolean pops_up;        /* it is a window of its own, wherever its parent is */
    double confidence;       /* of a name that was read, from 0 to 1; 0: it was told */
    const HfNodePart *parts; /* where the words of such a name stand; not part of its JSON */
    int part_count;
};

/* Whether only its picture is known: no program can be asked about it, or told to do anything. */
static inline gboolean hf_node_is_painted(const HfNode *node)
{
    return (node->source & (HF_SOURCE_OCR | HF_SOURCE_PIXELS)) != 0 &&
           (node->source & (HF_SOURCE_ACCESS | HF_SOURCE_DOM)) == 0;
}

HfTree *hf_tree_new(void);
/* One that can be added to, with the nodes of another at the same indices. */
HfTree *hf_tree_new_from(const HfTree *tree);
HfTree *hf_tree_ref(HfTree *tree);
void hf_tree_unref(HfTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTree, hf_tree_unref)

/* Both copy what they are given, texts too, and return its index. A node comes after its parent. */
int hf_tree_add_program(HfTree *tree, const HfTreeProgram *program);
int hf_tree_add(HfTree *tree, int parent, const HfNode *node);
/* While it is put together: to complete what was added. Valid until the next is added. */
HfNode *hf_tree_edit(HfTree *tree, int index);
/* A text that lives as long as the tree; equal ones are kept once. NULL gives NULL. */
const char *hf_tree_intern(HfTree *tree, const char *text);
void hf_tree_truncate(HfTree *tree, HfTruncation why);
/* How many questions were put to programs for it. */
void hf_tree_note_calls(HfTree *tree, guint calls);
guint hf_tree_calls(const HfTree *tree);
/* Brings the nodes into order, each right before its children; from now on it is read only. */
void hf_tree_finish(HfTree *tree);

int hf_tree_size(const HfTree *tree);
const HfNode *hf_tree_get(const HfTree *tree, int index);
int hf_tree_index(const HfTree *tree, const HfNode *node);
int hf_tree_programs(const HfTree *tree);
const HfTreeProgram *hf_tree_get_program(const HfTree *tree, int index);
/* Of the tree or of any of its programs. */
HfTruncation hf_tree_get_truncated(const HfTree *tree);
/* Whether what is not in it may be there nevertheless. Not so for the cells of endless tables, and
 * for programs that do not answer only if `alone` they were asked for: one of them would make
 * everything uncertain. */
gboolean hf_tree_is_cut(const HfTree *tree, gboolean alone);
/* The node with this object; HF_NODE_NONE when there is none. */
int hf_tree_find(const HfTree *tree, const char *bus, const char *path);
/* The index after the last one below `index`: its subtree is [index, end). */
int hf_tree_end(const HfTree *tree, int index);

/* What has the keyboard: a field rather than anything else that says so (Qt says it of the tab of a
 * page as well), the innermost of several; HF_NODE_NONE: nothing says so. */
int hf_tree_find_focused(const HfTree *tree);
/* Whether a person could see it: it says so, as its toolkit uses the words, and has a place. */
gboolean hf_tree_is_visible(const HfTree *tree, int index);

/* All of it, and back: for tests, evidence and differences. NULL, with the way to what is wrong. */
json_t *hf_tree_to_json(const HfTree *tree);
HfTree *hf_tree_from_json(const json_t *json, GError **error);
json_t *hf_truncation_to_json(HfTruncation truncated); /* array of words */
json_t *hf_source_to_json(HfSource source);
