/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of what the desk records. */
#pragma once

/* How long a statement waits for another program that reads our database. */
#define HF_LIMIT_STORE_BUSY_MS 5000
/* The audit: bytes of one text and of all parameters in a row; rows and time without a signature;
 * time without a sync; rows that wait in memory while the disk accepts none. */
#define HF_LIMIT_AUDIT_TEXT_BYTES    1024u
#define HF_LIMIT_AUDIT_PARAMS_BYTES  8192u
#define HF_LIMIT_AUDIT_UNSIGNED_ROWS 256
#define HF_LIMIT_AUDIT_UNSIGNED_MS   1000
#define HF_LIMIT_AUDIT_UNSYNCED_MS   50
#define HF_LIMIT_AUDIT_LATE_ROWS     1024u
/* Refusals are counted together for this long. In that time: rows of equal refusals, rows of all
 * refusals of one caller, kinds of refusals of one caller that are told apart, and callers. */
#define HF_LIMIT_REFUSALS_MS     60000
#define HF_LIMIT_EQUAL_REFUSALS  20u
#define HF_LIMIT_CALLER_REFUSALS 300u
#define HF_LIMIT_REFUSAL_KINDS   32u
#define HF_LIMIT_REFUSED_CALLERS 1024u
/* Changes in the ledger; old texts that are kept in memory for undo, and for how long. */
#define HF_LIMIT_LEDGER      10000
#define HF_LIMIT_UNDO_KEEP   64u
#define HF_LIMIT_UNDO_KEEP_S 3600
/* Runs that are open at the same time, and the part of one evidence file that is read. */
#define HF_LIMIT_RUNS_OPEN      128u
#define HF_LIMIT_RUN_FILE_BYTES (256u * 1024 * 1024)
/* How often a grant may have been passed on. */
#define HF_LIMIT_GRANT_CHAIN 16
/* Events that are kept for listeners that reconnect. */
#define HF_LIMIT_EVENTS_KEPT 4096u
