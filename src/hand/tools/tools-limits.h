/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of single tools. */
#pragma once

/* The longer edge of an enlarged picture. More takes longer than a second. */
#define HF_LIMIT_ZOOM_EDGE 4096
/* Areas that a picture comparison may ignore. */
#define HF_LIMIT_IGNORED_AREAS 64u
/* How long the frame of a highlight stays. */
#define HF_LIMIT_HIGHLIGHT_MS 10000
/* A notification: its text, its buttons, and how long a call may wait for an answer. */
#define HF_LIMIT_NOTICE_BYTES   16384u
#define HF_LIMIT_NOTICE_ACTIONS 8
#define HF_LIMIT_NOTICE_WAIT_MS 60000
/* How long operation_status and operation_cancel may wait for a background call. */
#define HF_LIMIT_OPERATION_WAIT_MS 60000
/* The old clipboard text, for undo: how long reading it may take, and how much is kept. */
#define HF_LIMIT_UNDO_READ_MS    500
#define HF_LIMIT_UNDO_TEXT_BYTES (1024u * 1024)
/* Files that a call runs: how much of each is read, how much of it the owner is shown, and how many
 * scripts may source one another. */
#define HF_LIMIT_RUN_FILE_BYTES (64u * 1024 * 1024)
#define HF_LIMIT_RUN_FILE_SHOWN 4096u
#define HF_LIMIT_RUN_FILE_DEPTH 3
