/* SPDX-License-Identifier: Apache-2.0 */
/* Objects as their program reported them: nothing is left out yet, and coordinates are still the
 * program's own. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfKnown {
    HF_KNOWN_STATES = 1 << 0,
    HF_KNOWN_ROLE = 1 << 1,
    HF_KNOWN_EXTENTS = 1 << 2,
    HF_KNOWN_CHILDREN = 1 << 3, /* all of them have a record */
    HF_KNOWN_ACTIONS = 1 << 4,
    HF_KNOWN_HIDDEN = 1 << 5, /* hidden: nothing more was asked */
    HF_KNOWN_BELOW = 1 << 6,  /* depth 0: everything below was asked for */
} HfKnown;

typedef struct HfRawNode {
    const char *bus, *path;
    int parent, depth; /* index, or HF_NODE_NONE for the program's windows */
    int role;
    guint64 states;
    HfAbility abilities;
    const char *name, *description, *identifier, *dom, *value, *actions;
    HfRect extents;  /* in the program's own coordinates */
    int child_count; /* as reported; -1: not reported */
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
/* Valid until the next add. */
HfRawNode *hf_raw_nodes_get(const HfRawNodes *records, int index);
/* HF_NODE_NONE when the object has a record already, so an object that is its own ancestor cannot
 * loop. */
int hf_raw_nodes_add(HfRawNodes *records, int parent, const char *bus, const char *path);
int hf_raw_nodes_find(const HfRawNodes *records, const char *bus, const char *path);
/* Copies a text, cut to `limit`; it lives as long as the records. Interned texts are never freed:
 * `hf_raw_nodes_bytes` is their size. */
const char *hf_raw_nodes_intern(HfRawNodes *records, const char *text, gsize limit);
gsize hf_raw_nodes_bytes(const HfRawNodes *records);
