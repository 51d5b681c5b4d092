/* SPDX-License-Identifier: Apache-2.0 */
/* The limits that several folders share. Every size, count and time that a caller can influence has
 * a name; the limits of one folder are in its own header (`http-limits.h`, `shell-limits.h`, …).
 * Passing a limit is an error with a code, never a crash or a silent cut. */
#pragma once

/* One request line on the bridge, and one JSON header between desk and hand. */
#define HF_LIMIT_REQUEST_BYTES (16u * 1024 * 1024)
/* A name (of a client, a project, a file, …) and a title. */
#define HF_LIMIT_NAME_BYTES  64u
#define HF_LIMIT_TITLE_BYTES 4096u
/* The path of a file. A glob, and the patterns that its braces expand to. */
#define HF_LIMIT_PATH_BYTES 4096u
#define HF_LIMIT_GLOB_BYTES 1000u
#define HF_LIMIT_GLOB_FORMS 64u
/* The longer edge of a screen, in pixels. */
#define HF_LIMIT_SCREEN_EDGE 16384
/* The time limit that a caller can set for one call, and the longest `wait`. */
#define HF_LIMIT_TIMEOUT_MS   600000
#define HF_LIMIT_WAIT_SECONDS 300
/* The key by which a call is done only once. */
#define HF_LIMIT_IDEMPOTENCY_KEY_BYTES 128u
/* Live views of the screen at the same time. */
#define HF_LIMIT_STREAMS 32u
/* Resources to which one MCP client can subscribe. */
#define HF_LIMIT_MCP_SUBSCRIPTIONS 256u

/* Input: characters of a text, keys pressed together, the time of a pointer movement, clicks of the
 * scroll wheel. */
#define HF_LIMIT_TYPE_CHARS    200000u
#define HF_LIMIT_KEYS          16u
#define HF_LIMIT_MOVE_MS       60000
#define HF_LIMIT_SCROLL_CLICKS 1000
/* One text or expression in a selector. */
#define HF_LIMIT_SELECTOR_TEXT_BYTES 1000u

/* Macros: steps, retries of a step, pauses between steps. */
#define HF_LIMIT_MACRO_STEPS    100
#define HF_LIMIT_MACRO_RETRIES  20
#define HF_LIMIT_MACRO_DELAY_MS 60000
/* Workflows: steps as written, members of a list in a loop, the text of a reference. */
#define HF_LIMIT_FLOW_STEPS           200
#define HF_LIMIT_FLOW_ITEMS           500
#define HF_LIMIT_FLOW_REFERENCE_BYTES 512u
/* Old texts that stay in memory so that a change can be undone. */
#define HF_LIMIT_UNDO_KEEP_BYTES (8u * 1024 * 1024)

/* How long an idle process keeps memory that would make the next call quicker. */
#define HF_LIMIT_REST_AFTER_MS 3000
/* How long after a person's own input the agent waits, unless the owner says otherwise, and how
 * often within that time the hand reports that the person goes on. */
#define HF_TAKEOVER_QUIET_S 5
#define HF_TAKEOVER_REPORTS 20
/* How long the end of a desktop may take; within that, how long programs may take to exit by
 * themselves. A hand on somebody's own display has things to restore and gets longer. */
#define HF_LIMIT_STAGE_END_MS     5000
#define HF_LIMIT_PROGRAM_GRACE_MS 500
#define HF_LIMIT_HAND_GRACE_MS    1500
