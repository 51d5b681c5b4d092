/* Reading one program's objects: first what stands right below it (its windows), then, of those
 * that were chosen, all that is below. Every question goes into one batch, so that several programs
 * are read side by side. */
#pragma once

#include "access/items.h"
#include "access/programs.h"
#include "access/scope.h"

struct HfReader {
    HfProgram *program;
    HfLine *bus;
    HfBatch *batch;
    const HfAccessScope *scope;
    int *left; /* how many objects may still be taken, by all readers together */
    HfRecords *records;
    gint64 asked_us;  /* when the items were asked for */
    HfItems *items;   /* NULL: it gives them one by one only */
    guint met;        /* children that were told of, whether they show or not */
    guint closed;     /* those of them that do not show: what is in them was not asked */
    GHashTable *wide; /* record → its children, while it is asked which of them show */
    int cell;         /* the record of the cell that was asked for by its address; 0: none */
    guint heard;      /* answers */
    HfTruncation truncated;
    int tops;          /* the first records are the program's windows */
    gboolean actions;  /* how it was read: with what can be done, */
    gboolean hidden;   /* with what does not show, */
    int depth;         /* and how deep */
    GArray *before;    /* of HfRect: where the windows were (keep.h) */
    gboolean followed; /* what it changes since was heard (keep.h) */
    gboolean present;  /* it has answered that it is there (keep.h) */
    int stage;         /* how far this reading is (snapshot.c) */
};

HfReader *hf_reader_new(HfProgram *program, HfLine *bus);
void hf_reader_free(HfReader *reader);
/* For this reading. All must live until its end. */
void hf_reader_begin(HfReader *reader, HfBatch *batch, const HfAccessScope *scope, int *left);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfReader, hf_reader_free)

/* The program's windows: states, role, name, extents. And all items, where that is quicker. */
void hf_read_tops(HfReader *reader);
/* Everything below the record, as the scope says. */
void hf_read_below(HfReader *reader, int index);
/* What the records that show hold, if that is wanted. After all else. */
void hf_read_values(HfReader *reader);

/* Shared by the ways of reading. Asks `interface`.`method` of the record. */
void hf_reader_ask(HfReader *reader, int index, const char *interface, const char *method,
                   GVariant *arguments, const char *reply_type, HfBatchDone done);
void hf_reader_get(HfReader *reader, int index, const char *interface, const char *property,
                   HfBatchDone done);
void hf_reader_ask_extents(HfReader *reader, int index);
/* What can be done with it, once its role, states and abilities are known. */
void hf_reader_ask_actions(HfReader *reader, int index);
/* The children, unless there are too many of them, or it is too deep. */
void hf_reader_ask_children(HfReader *reader, int index);
/* Whether an object with these states is left out, with all that is below. */
gboolean hf_reader_leaves_out(const HfReader *reader, guint64 states);
/* A new record, or HF_NODE_NONE: known already, or one too many (then `truncated` says so). */
int hf_reader_add(HfReader *reader, int parent, const char *bus, const char *path);

/* read-walk.c: an object that was told of, as a child of `parent`. */
void hf_reader_visit(HfReader *reader, int parent, const char *bus, const char *path);

/* read-cells.c. The first fills in what is known of a cell that was met before; TRUE: only its name
 * and place are still to be asked. The second notes cells for that, when all is read. */
gboolean hf_reader_recall_cell(HfReader *reader, int index);
void hf_reader_note_cells(HfReader *reader);

/* The cell that the scope says, of a table with more than can be read. It is told even when it does
 * not show: it is known to be there. */
void hf_reader_ask_cell(HfReader *reader, int index);
gboolean hf_reader_is_cell(const HfReader *reader, const HfRecord *record);

/* read-bulk.c: the records below `index`, from the items. */
void hf_read_from_items(HfReader *reader, int index);
