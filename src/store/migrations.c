/* Each group of tables says its own SQL, in the order in which the groups came to be. A new table
 * or column is a new line at the end. */
#include "store/migrations.h"

const char *const hf_store_migrations[] = {
    /* 1: what the desk itself must remember (a latched stop, the last clean end). */
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    NULL,
};
