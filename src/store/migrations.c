/* Each group of tables says its own SQL, in the order in which the groups came to be. A new table
 * or column is a new line at the end. */
#include "store/migrations.h"

const char *const hf_store_migrations[] = {
    /* 1: what the desk itself must remember (a latched stop, the last clean end). */
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    /* Runs that have read text of others; and what calls have changed, with how to undo it. */
    "CREATE TABLE taints (run_id TEXT PRIMARY KEY, reads INTEGER NOT NULL,"
    "  since INTEGER NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, step_id TEXT NOT NULL,"
    "  run_id TEXT NOT NULL, desktop TEXT NOT NULL, caller TEXT NOT NULL, tool TEXT NOT NULL,"
    "  undo TEXT NOT NULL, undoes TEXT NOT NULL, undone_by TEXT NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX ledger_step ON ledger (step_id);"
    "CREATE INDEX ledger_desktop ON ledger (desktop, id);",
    NULL,
};
