/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one program's objects: first what stands right below it (its windows), then, of those
 * that were chosen, all that is below. Every question goes into one batch, so that several programs
 * are read side by side. */
#pragma once

#include "hand/atspi/bus/bus-programs.h"
#include "hand/atspi/read/cache-items.h"
#include "hand/atspi/read/tree-scope.h"

struct HfTreeReader {
    HfBusProgram *program;
    HfBusConnection *bus;
    HfCallBatch *batch;
    const HfTreeScope *scope;
    int *left; /* how many objects may still be taken, by all readers together */
    HfRawNodes *records;
    gint64 asked_us;     /* when the items were asked for */
    HfCacheItems *items; /* NULL: it gives them one by one only */
    guint met;           /* children that were told of, whether they show or not */
    guint closed;        /* those of them that do not show: what is in them was not asked */
    GHashTable *wide;    /* record → its children, while it is asked which of them show */
    int cell;            /* the record of the cell that was asked for by its address; 0: none */
    guint heard;         /* answers */
    HfTruncation truncated;
    int tops;          /* the first records are the program's windows */
    gboolean actions;  /* how it was read: with what can be done, */
    gboolean hidden;   /* with what does not show, */
    int depth;         /* and how deep */
    GArray *before;    /* of HfRect: where the windows were (tree-cache.h) */
    gboolean followed; /* what it changes since was heard (tree-cache.h) */
    gboolean present;  /* it has answered that it is there (tree-cache.h) */
    int stage;         /* how far this reading is (tree-snapshot.c) */
};

HfTreeReader *hf_tree_reader_new(HfBusProgram *program, HfBusConnection *bus);
void hf_tree_reader_free(HfTreeReader *reader);
/* For this reading. All must live until its end. */
void hf_tree_reader_begin(HfTreeReader *reader, HfCallBatch *batch, const HfTreeScope *scope,
                          int *left);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTreeReader, hf_tree_reader_free)

/* The program's windows: states, role, name, extents. And all items, where that is quicker. */
void hf_tree_reader_read_windows(HfTreeReader *reader);
/* Everything below the record, as the scope says. */
void hf_tree_reader_read_below(HfTreeReader *reader, int index);
/* What the records that show hold, if that is wanted. After all else. */
void hf_tree_reader_read_values(HfTreeReader *reader);

/* Shared by the ways of reading. Asks `interface`.`method` of the record. */
void hf_tree_reader_ask(HfTreeReader *reader, int index, const char *interface, const char *method,
                        GVariant *arguments, const char *reply_type, HfBatchDone done);
void hf_tree_reader_get_property(HfTreeReader *reader, int index, const char *interface,
                                 const char *property, HfBatchDone done);
void hf_tree_reader_ask_extents(HfTreeReader *reader, int index);
/* What can be done with it, once its role, states and abilities are known. */
void hf_tree_reader_ask_actions(HfTreeReader *reader, int index);
/* The children, unless there are too many of them, or it is too deep. */
void hf_tree_reader_ask_children(HfTreeReader *reader, int index);
/* Whether an object with these states is left out, with all that is below. */
gboolean hf_tree_reader_skips(const HfTreeReader *reader, guint64 states);
/* A new record, or HF_NODE_NONE: known already, or one too many (then `truncated` says so). */
int hf_tree_reader_add(HfTreeReader *reader, int parent, const char *bus, const char *path);

/* tree-reader-walk.c: an object that was told of, as a child of `parent`. */
void hf_tree_reader_visit(HfTreeReader *reader, int parent, const char *bus, const char *path);

/* tree-reader-cells.c. The first fills in what is known of a cell that was met before; TRUE: only
 * its name and place are still to be asked. The second notes cells for that, when all is read. */
gboolean hf_tree_reader_reuse_cell(HfTreeReader *reader, int index);
void hf_tree_reader_remember_cells(HfTreeReader *reader);

/* The cell that the scope says, of a table with more than can be read. It is told even when it does
 * not show: it is known to be there. */
void hf_tree_reader_ask_cell(HfTreeReader *reader, int index);
gboolean hf_tree_reader_is_cell(const HfTreeReader *reader, const HfRawNode *record);

/* tree-reader-bulk.c: the records below `index`, from the items. */
void hf_tree_reader_read_from_items(HfTreeReader *reader, int index);
