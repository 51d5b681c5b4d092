/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of single tools that no other folder needs. */
#pragma once

/* The longer edge of an enlarged picture: a second or so of work. */
#define HF_LIMIT_ZOOM_EDGE 4096
/* Areas that a comparison of pictures ignores. */
#define HF_LIMIT_IGNORED_AREAS 64u
/* How long a frame around an element stays. */
#define HF_LIMIT_HIGHLIGHT_MS 10000
/* A notification: its text, its buttons, and how long a call may wait for it. */
#define HF_LIMIT_NOTICE_BYTES   16384u
#define HF_LIMIT_NOTICE_ACTIONS 8
#define HF_LIMIT_NOTICE_WAIT_MS 60000
/* How long a call may wait for one in the background. */
#define HF_LIMIT_OPERATION_WAIT_MS 60000
/* The old text of a clipboard, for undo: how long reading it may take, and what is kept. */
#define HF_LIMIT_UNDO_READ_MS    500
#define HF_LIMIT_UNDO_TEXT_BYTES (1024u * 1024)
