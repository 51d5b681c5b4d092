/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: every tool of the registry, and the commands that manage the desk. */
#pragma once

/* Exit statuses, the same for every command. */
enum {
    HF_EXIT_OK = 0,
    HF_EXIT_FAILED = 1,  /* the tool failed */
    HF_EXIT_USAGE = 2,   /* wrong usage */
    HF_EXIT_NO_DESK = 3, /* no desk is running */
};

int hf_cli_main(int argc, char **argv);
