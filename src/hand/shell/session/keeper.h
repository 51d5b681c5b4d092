/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper is a process between the hand and a shell, one per session. It puts up the walls,
 * starts the shell inside, passes the shell's streams to the hand, and ends everything the session
 * started when the shell ends, when it is told to, or when the hand is gone. Input and output do
 * not pass through it. */
#pragma once

/* `handfast keeper`: the hand starts it with the channel as HF_INHERITED_DESCRIPTOR. With `--probe`
 * it prints as JSON which walls this kernel supports. */
int hf_keeper_main(int argc, char **argv);

/* A shell whose plan says "hushed" finds its real standard error at this descriptor and switches to
 * it with this command. What it writes to descriptor 2 before is discarded. */
#define HF_SHELL_ERRORS      3
#define HF_SHELL_TAKE_ERRORS "exec 2>&3 3>&-"

/* Messages between hand and keeper; each has a "type". The hand sends the plan first, then orders.
 * `since` is a process start time in ticks: a signal goes to what was started later. */
#define HF_KEEPER_INTERRUPT "interrupt" /* {"signal", "since"}: the command and the shell */
#define HF_KEEPER_SIGNAL    "signal"    /* not the shell; with a terminal: its foreground group */
/* From the keeper. Messages with a descriptor (+) come before HF_KEEPER_READY. */
#define HF_KEEPER_PROCESS  "process"  /* + pidfd of the process that owns the session */
#define HF_KEEPER_COMMANDS "commands" /* + the shell's input, where it also reports */
#define HF_KEEPER_OUTPUT   "output"   /* + its standard output */
#define HF_KEEPER_ERRORS   "errors"   /* + its standard error */
#define HF_KEEPER_TERMINAL "terminal" /* + instead of these three: the terminal's master */
#define HF_KEEPER_FOLDER   "folder"   /* + a private directory; {"path"} as the shell sees it */
#define HF_KEEPER_READY    "ready"    /* {"shell": pid inside the walls} */
#define HF_KEEPER_FAILED   "failed"   /* {"error"} */
#define HF_KEEPER_ENDED    "ended"    /* {"status"} of the shell, as from wait() */
