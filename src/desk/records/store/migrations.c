/* SPDX-License-Identifier: Apache-2.0 */
/* One entry per migration. A new table or column is a new entry at the end. */
#include "desk/records/store/migrations.h"

const char *const hf_store_migrations[] = {
    /* Single values of the desk (key-values.c). */
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    /* Tainted runs; and the changes that calls have made, with how to undo them. */
    "CREATE TABLE taints (run_id TEXT PRIMARY KEY, reads INTEGER NOT NULL,"
    "  since INTEGER NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, step_id TEXT NOT NULL,"
    "  run_id TEXT NOT NULL, desktop TEXT NOT NULL, caller TEXT NOT NULL, tool TEXT NOT NULL,"
    "  undo TEXT NOT NULL, undoes TEXT NOT NULL, undone_by TEXT NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX ledger_step ON ledger (step_id);"
    "CREATE INDEX ledger_desktop ON ledger (desktop, id);",
    /* The audit, which can only grow. The columns repeat members of the body. */
    "CREATE TABLE audit (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL,"
    "  caller TEXT, agent TEXT, project TEXT, run TEXT, step TEXT, tool TEXT, event TEXT,"
    "  desktop TEXT, risk TEXT, decision TEXT, code TEXT, body TEXT NOT NULL,"
    "  hash TEXT NOT NULL) STRICT;"
    "CREATE INDEX audit_time ON audit (time);"
    "CREATE INDEX audit_run ON audit (run);"
    "CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit"
    "  WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_keeps BEFORE UPDATE ON audit"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_holds BEFORE DELETE ON audit"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TABLE audit_heads (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL,"
    "  head TEXT NOT NULL) STRICT;"
    "CREATE TRIGGER audit_heads_keep BEFORE UPDATE ON audit_heads"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_heads_hold BEFORE DELETE ON audit_heads"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;",
    /* Grants, and how much of each is used up (grant-rows.c). */
    "CREATE TABLE grants (id TEXT PRIMARY KEY, parent TEXT REFERENCES grants (id), made_by TEXT "
    "NOT "
    "NULL, level INTEGER NOT NULL, document TEXT NOT NULL, max_calls INTEGER NOT NULL, calls "
    "INTEGER NOT NULL DEFAULT 0, made_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;"
    /* Counts per day, for daily rate limits (rate-limiter.c). */
    "CREATE TABLE daily_counts (day INTEGER NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL, "
    "PRIMARY KEY (day, what)) WITHOUT ROWID, STRICT;",
    /* Questions to the owner, and remembered answers. */
    "CREATE TABLE approvals (id TEXT PRIMARY KEY, state TEXT NOT NULL, made_ms INTEGER NOT NULL,"
    "  expires_ms INTEGER NOT NULL, hash TEXT NOT NULL, caller TEXT NOT NULL, what TEXT NOT NULL,"
    "  picture TEXT NOT NULL, answered_ms INTEGER NOT NULL, answered_by TEXT NOT NULL,"
    "  reason TEXT NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE INDEX approvals_state ON approvals (state, made_ms);"
    "CREATE TABLE approval_memory (id TEXT PRIMARY KEY, made_ms INTEGER NOT NULL,"
    "  expires_ms INTEGER NOT NULL, scope TEXT NOT NULL, tool TEXT NOT NULL,"
    "  project TEXT NOT NULL, caller TEXT NOT NULL, hash TEXT NOT NULL, risk INTEGER NOT NULL,"
    "  tainted INTEGER NOT NULL, made_by TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    /* Calls with an idempotency key; without an answer: begun. */
    "CREATE TABLE recalls (caller TEXT NOT NULL, key TEXT NOT NULL, call TEXT NOT NULL,"
    "  time INTEGER NOT NULL, answer TEXT, PRIMARY KEY (caller, key)) WITHOUT ROWID, STRICT;"
    "CREATE INDEX recalls_time ON recalls (time);",
    /* Tokens of the HTTP door, as hashes. */
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL,"
    "  role INTEGER NOT NULL, level INTEGER NOT NULL, grant_id TEXT REFERENCES grants (id),"
    "  made_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,"
    "  revoked_ms INTEGER NOT NULL) STRICT;",
    /* Nonces of requests that could still be replayed. */
    "CREATE TABLE nonces (client TEXT NOT NULL, nonce TEXT NOT NULL, expires_ms INTEGER NOT NULL,"
    "  PRIMARY KEY (client, nonce)) WITHOUT ROWID, STRICT;"
    "CREATE INDEX nonces_expiry ON nonces (expires_ms);",
    /* Calls in the background; without an answer: running, or lost. */
    "CREATE TABLE operations (id TEXT PRIMARY KEY, caller TEXT NOT NULL, tool TEXT NOT NULL,"
    "  desktop TEXT NOT NULL, run_id TEXT NOT NULL, step_id TEXT NOT NULL, state TEXT NOT NULL,"
    "  made_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, key TEXT NOT NULL, call TEXT NOT NULL,"
    "  reads INTEGER NOT NULL, answer TEXT, parts TEXT NOT NULL,"
    "  bytes INTEGER NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE INDEX operations_made ON operations (made_ms);"
    "CREATE INDEX operations_key ON operations (caller, key);",
    /* Each index costs every call one more page to write and sync. Times grow with the rows, so
     * indexing one in 64 is enough (audit-database.c); runs are found by their intents; changes are
     * read by id. */
    "DROP INDEX audit_time; DROP INDEX audit_run; DROP INDEX ledger_desktop;"
    "CREATE INDEX audit_time ON audit (time) WHERE seq % 64 = 0;"
    "CREATE INDEX audit_run ON audit (run) WHERE kind = 'intent';",
    NULL,
};
