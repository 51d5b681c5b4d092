/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper of a shell: a process for each session, between the hand and the shell. It puts up the
 * walls, starts the shell within them, hands the ends of its streams to the hand, and ends
 * everything that the session has started when the shell ends, when it is told to, and when the
 * hand is gone. What is written and read does not pass through it. */
#pragma once

/* `handfast keeper`, started by the hand with its channel as HF_INHERITED_DESCRIPTOR; with
 * `--probe` it tells what walls this kernel can put up, as JSON. */
int hf_keeper_main(int argc, char **argv);

/* Where a shell whose plan says "hushed" finds its standard error when it begins, and how it takes
 * it; what it writes to the usual one before is nobody's. */
#define HF_SHELL_ERRORS      3
#define HF_SHELL_TAKE_ERRORS "exec 2>&3 3>&-"

/* Between hand and keeper, each a "type". From the hand: first the plan, then orders. */
#define HF_KEEPER_INTERRUPT                                                                        \
    "interrupt"                   /* {"signal", "since"}: what was started since, in ticks         \
                                   */
#define HF_KEEPER_SIGNAL "signal" /* the same, but the shell; with a terminal: what is in front */
/* From the keeper. Those that carry a descriptor come before HF_KEEPER_READY. */
#define HF_KEEPER_PROCESS  "process"  /* + the process that everything ends with */
#define HF_KEEPER_COMMANDS "commands" /* + what the shell reads, and reports to */
#define HF_KEEPER_OUTPUT   "output"   /* + its standard output */
#define HF_KEEPER_ERRORS   "errors"   /* + its standard error */
#define HF_KEEPER_TERMINAL "terminal" /* + instead of these three: the master of its terminal */
#define HF_KEEPER_FOLDER   "folder"   /* + a directory of its own; {"path"} as the shell sees it */
#define HF_KEEPER_READY    "ready"    /* {"shell": process number within the walls} */
#define HF_KEEPER_FAILED   "failed"   /* {"error"} */
#define HF_KEEPER_ENDED    "ended"    /* {"status"} of the shell, as wait gives it */
