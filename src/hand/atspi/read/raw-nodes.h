/* SPDX-License-Identifier: Apache-2.0 */
/* What a program said of its objects, as it said it: before anything is left out for a caller, and
 * before its coordinates are made those of the screen. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfKnown {
    HF_KNOWN_STATES = 1 << 0,
    HF_KNOWN_ROLE = 1 << 1,
    HF_KNOWN_EXTENTS = 1 << 2,
    HF_KNOWN_CHILDREN = 1 << 3, /* all of them are records */
    HF_KNOWN_ACTIONS = 1 << 4,
    HF_KNOWN_HIDDEN = 1 << 5, /* does not show: nothing more was asked */
    HF_KNOWN_BELOW = 1 << 6,  /* of those at depth 0: all that is below was asked for */
} HfKnown;

typedef struct HfRawNode {
    const char *bus, *path;
    int parent, depth; /* index, or HF_NODE_NONE for what stands right below the program */
    int role;
    guint64 states;
    HfAbility abilities;
    const char *name, *description, *identifier, *dom, *value, *actions;
    HfRect extents;  /* in the program's own pixels and space */
    int child_count; /* as it says; -1: it does not say */
    HfKnown known;
    HfMissing missing;
    gboolean more;
} HfRawNode;

typedef struct HfRawNodes HfRawNodes;

HfRawNodes *hf_raw_nodes_new(void);
void hf_raw_nodes_free(HfRawNodes *records);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRawNodes, hf_raw_nodes_free)

void hf_raw_nodes_clear(HfRawNodes *records);
int hf_raw_nodes_size(const HfRawNodes *records);
/* Valid until the next is added. */
HfRawNode *hf_raw_nodes_get(const HfRawNodes *records, int index);
/* HF_NODE_NONE when it is there already: a program that is its own ancestor ends here. */
int hf_raw_nodes_add(HfRawNodes *records, int parent, const char *bus, const char *path);
int hf_raw_nodes_find(const HfRawNodes *records, const char *bus, const char *path);
/* A text of others: valid, without control characters, and cut. Lives as long as the records. */
/* They are never taken back: `hf_raw_nodes_bytes` tells how much they are. */
const char *hf_raw_nodes_intern(HfRawNodes *records, const char *text, gsize limit);
gsize hf_raw_nodes_bytes(const HfRawNodes *records);
