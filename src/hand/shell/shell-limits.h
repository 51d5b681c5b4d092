/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of shells and terminals. */
#pragma once

/* Sessions in all and of one caller, and a command. */
#define HF_LIMIT_SHELLS        64u
#define HF_LIMIT_CALLER_SHELLS 16u
#define HF_LIMIT_COMMAND_BYTES (256u * 1024)
/* How long a shell may take to start and to end, and an interrupted command after each signal
 * before its shell is ended too. */
#define HF_LIMIT_SHELL_START_MS 10000
#define HF_LIMIT_SHELL_END_MS   2000
#define HF_SHELL_STEP_MS        250
/* A script file whose risk is judged, and the text that a shell takes as one argument: the kernel
 * allows no more than 128 KB. */
#define HF_LIMIT_SCRIPT_FILE_BYTES (1024u * 1024)
#define HF_LIMIT_SCRIPT_TEXT_BYTES (120u * 1024)
/* Output: what an answer carries at most, what is written to a file beyond that, how many such
 * files are kept, and what may wait in the pipe. */
#define HF_LIMIT_SHELL_OUTPUT_BYTES (4u * 1024 * 1024)
#define HF_LIMIT_SHELL_SPILL_BYTES  ((gsize)64 * 1024 * 1024)
#define HF_LIMIT_SHELL_SPILLS       8u
#define HF_SHELL_PIPE_BYTES         (1024 * 1024)
/* The size of a terminal, by default and at most. */
#define HF_TERMINAL_ROWS          24
#define HF_TERMINAL_COLUMNS       80
#define HF_LIMIT_TERMINAL_ROWS    200
#define HF_LIMIT_TERMINAL_COLUMNS 400
/* Lines of scrollback, the title, and numbers in one control sequence. */
#define HF_LIMIT_TERMINAL_LINES   2000u
#define HF_LIMIT_TERMINAL_TITLE   256u
#define HF_LIMIT_TERMINAL_NUMBERS 16
/* Text and keys that are sent at once; how long to wait afterwards, at most and by default; how
 * long the screen must stay the same to count as quiet. */
#define HF_LIMIT_TERMINAL_TEXT    (64u * 1024)
#define HF_LIMIT_TERMINAL_KEYS    64u
#define HF_LIMIT_TERMINAL_WAIT_MS 60000
#define HF_TERMINAL_WAIT_MS       500
#define HF_TERMINAL_QUIET_MS      60
