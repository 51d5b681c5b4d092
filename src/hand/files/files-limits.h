/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of reading, changing, searching and watching files. */
#pragma once

/* A text that a caller sends, lines and bytes of one part that is read, entries of one
 * directory. */
#define HF_LIMIT_FILE_TEXT_BYTES (12u * 1024 * 1024)
#define HF_LIMIT_FILE_LINES      1000000
#define HF_LIMIT_FILE_PART_BYTES (1024u * 1024)
#define HF_LIMIT_FILE_ENTRIES    5000u
/* Attempts to open a path whose links change meanwhile. */
#define HF_LIMIT_PLACE_TRIES 4
/* A batch: its operations, and all that it writes. How long a change waits for another one. */
#define HF_LIMIT_BATCH         500
#define HF_LIMIT_BATCH_BYTES   ((gsize)256 * 1024 * 1024)
#define HF_LIMIT_FILES_LOCK_MS 10000
/* Old contents that are kept for undo: of one file, in all, and after how many changes the total
 * is measured again. */
#define HF_LIMIT_KEPT_FILE_BYTES ((gsize)64 * 1024 * 1024)
#define HF_LIMIT_KEPT_BYTES      ((gsize)512 * 1024 * 1024)
#define HF_LIMIT_KEPT_LOOK       32u
/* Diffs: edits before a text counts as replaced, and bytes of all diffs of one call. */
#define HF_LIMIT_DIFF_EDITS 1500
#define HF_LIMIT_DIFF_BYTES (256u * 1024)
/* One ignore file: its bytes and its rules. */
#define HF_LIMIT_IGNORE_BYTES (256u * 1024)
#define HF_LIMIT_IGNORE_RULES 4096u
/* Searches: the pattern, results, bytes of a line and of the answer, how deep directories nest,
 * steps of the regular expression at one place, and threads. */
#define HF_LIMIT_PATTERN_BYTES       4096u
#define HF_LIMIT_SEARCH_RESULTS      10000
#define HF_LIMIT_SEARCH_LINE_BYTES   500u
#define HF_LIMIT_SEARCH_ANSWER_BYTES (4u * 1024 * 1024)
#define HF_LIMIT_SEARCH_DEPTH        256
#define HF_LIMIT_SEARCH_STEPS        1000000u
#define HF_LIMIT_SEARCH_THREADS      2
/* Watches: how many are kept and for how long without a call, directories of one, changes that
 * wait, and how long to collect further changes. */
#define HF_LIMIT_WATCHES           16u
#define HF_LIMIT_WATCH_KEEP_S      300
#define HF_LIMIT_WATCH_DIRECTORIES 8192u
#define HF_LIMIT_WATCH_CHANGES     10000u
#define HF_LIMIT_WATCH_DEBOUNCE_MS 5000
#define HF_LIMIT_WATCH_SETTLE_MS   1000
