/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the X11 back end. */
#pragma once

/* How long a window may take to change before the change counts as failed. */
#define HF_LIMIT_WINDOW_CHANGE_MS 2500
/* Highlight frames at the same time. */
#define HF_LIMIT_HIGHLIGHTS 16

/* Clipboard content that is saved while a text is on loan: number of formats, and their bytes. */
#define HF_LIMIT_CLIPBOARD_FORMATS    256u
#define HF_LIMIT_CLIPBOARD_SAVE_BYTES (128u * 1024 * 1024)
/* How long the owner of a selection may take to send one answer (or one piece of a long one), and
 * to send all formats when they are saved. */
#define HF_LIMIT_CLIPBOARD_ANSWER_MS 2000
#define HF_LIMIT_CLIPBOARD_SAVE_MS   5000
/* Transfers from us: how many at once, to all programs and to one; how long a program may leave a
 * piece unread, and how long it may take in total; the bytes that transfers keep in memory. */
#define HF_LIMIT_CLIPBOARD_TRANSFERS        64u
#define HF_LIMIT_CLIPBOARD_TRANSFERS_OF_ONE 16u
#define HF_LIMIT_CLIPBOARD_STALL_MS         10000
#define HF_LIMIT_CLIPBOARD_TRANSFER_MS      300000
#define HF_LIMIT_CLIPBOARD_SENDING_BYTES    (256u * 1024 * 1024)
/* The rate limit of a program that reads our clipboard: burst, and units per second. A unit is an
 * answer or 64 KB. */
#define HF_LIMIT_CLIPBOARD_ASK_BURST 4096u
#define HF_LIMIT_CLIPBOARD_ASK_RATE  2000u
