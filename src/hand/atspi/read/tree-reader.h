/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the objects of one program: first its windows, then everything below the chosen ones. All
 * calls go into one batch, so several programs are read side by side. */
#pragma once

#include "hand/atspi/bus/bus-programs.h"
#include "hand/atspi/read/cache-items.h"
#include "hand/atspi/read/tree-scope.h"
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
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRawNodes, hf_raw_nodes_free)

struct HfTreeReader {
    HfBusProgram *program;
    HfBusConnection *bus;
    HfCallBatch *batch;
    const HfTreeScope *scope;
    int *budget; /* how many more objects all readers together may read */
    HfRawNodes *records;
    gint64 asked_us;           /* when the items were requested */
    HfCacheItems *items;       /* all objects in one reply; NULL: the program has not sent them */
    guint children_seen;       /* visible or not */
    guint hidden_seen;         /* the hidden ones of them, whose content was not read */
    GHashTable *wide_children; /* record → its children, while we ask which of them show */
    int cell;                  /* the record of the scope's cell; 0: none */
    guint answers;
    HfTruncation truncated;
    int tops;            /* the first records are the program's windows */
    gboolean actions;    /* read with actions, */
    gboolean hidden;     /* with hidden objects, */
    int depth;           /* and to this depth */
    GArray *old_extents; /* of HfRect: the windows before the update (tree-cache.h) */
    gboolean followed;   /* its changes were recorded since (tree-cache.h) */
    gboolean present;    /* it has answered the ping (tree-cache.h) */
    int stage;           /* see tree-snapshot.c */
};

HfTreeReader *hf_tree_reader_new(HfBusProgram *program, HfBusConnection *bus);
void hf_tree_reader_free(HfTreeReader *reader);
/* Starts a reading. The arguments must outlive it. */
void hf_tree_reader_begin(HfTreeReader *reader, HfCallBatch *batch, const HfTreeScope *scope,
                          int *budget);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTreeReader, hf_tree_reader_free)

/* Reads the program's windows: states, role, name, extents. Also all items, where that is quicker.
 */
void hf_tree_reader_read_windows(HfTreeReader *reader);
/* Reads everything below the record, as the scope says. */
void hf_tree_reader_read_below(HfTreeReader *reader, int index);
/* Reads values and identifiers of the visible records, if the scope wants them. Comes last. */
void hf_tree_reader_read_values(HfTreeReader *reader);

/* Shared by the reading strategies. Calls `interface`.`method` of the record. */
void hf_tree_reader_ask(HfTreeReader *reader, int index, const char *interface, const char *method,
                        GVariant *arguments, const char *reply_type, HfBatchDone done);
void hf_tree_reader_get_property(HfTreeReader *reader, int index, const char *interface,
                                 const char *property, HfBatchDone done);
/* For reply handlers: counts the reply, and returns the record. */
HfRawNode *hf_tree_reader_count_answer(HfTreeReader *reader, int index);
void hf_tree_reader_ask_extents(HfTreeReader *reader, int index);
/* Once role, states and abilities are known. */
void hf_tree_reader_ask_actions(HfTreeReader *reader, int index);
/* Unless there are too many children, or they are too deep. */
void hf_tree_reader_ask_children(HfTreeReader *reader, int index);
/* Whether an object with these states is left out, with everything below it. */
gboolean hf_tree_reader_skips(const HfTreeReader *reader, guint64 states);
/* A new record, or HF_NODE_NONE: known already, or beyond the budget (sets `truncated`). */
int hf_tree_reader_add(HfTreeReader *reader, int parent, const char *bus, const char *path);
/* Reads one object as a child of `parent`. */
void hf_tree_reader_visit(HfTreeReader *reader, int parent, const char *bus, const char *path);
/* Adds the records below `index` from the items. */
void hf_tree_reader_read_from_items(HfTreeReader *reader, int index);

/* Fills in a table cell that was read before; TRUE: only its name and extents are missing. */
gboolean hf_tree_reader_reuse_cell(HfTreeReader *reader, int index);
/* Remembers cells for that, at the end of a reading. */
void hf_tree_reader_remember_cells(HfTreeReader *reader);
/* Reads the scope's cell of a table that is too large. It is kept even when it is hidden. */
void hf_tree_reader_ask_cell(HfTreeReader *reader, int index);
gboolean hf_tree_reader_is_cell(const HfTreeReader *reader, const HfRawNode *record);
