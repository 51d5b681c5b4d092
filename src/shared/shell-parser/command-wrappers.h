/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands that run other commands, and how to read their words. */
#pragma once

#include "shared/shell-parser/shell-script.h"

typedef enum HfCommandWrapperKind {
    HF_WRAPPER_WORDS,    /* the words after its options are a command */
    HF_WRAPPER_TEXT,     /* the words after its options, joined, are text for a shell */
    HF_WRAPPER_SHELL,    /* a shell: -c TEXT, a file, or its input */
    HF_WRAPPER_OPTION_C, /* -c TEXT is for a shell; otherwise as WORDS */
    HF_WRAPPER_CODE,     /* a language: inline programs */
    HF_WRAPPER_FIND,     /* -exec ... ; */
    HF_WRAPPER_TERMINAL, /* -e COMMAND */
    HF_WRAPPER_SOURCE,   /* reads a file as a script */
    HF_WRAPPER_ALIAS,
    HF_WRAPPER_DECLARE, /* export X=1 */
    HF_WRAPPER_BUILTIN, /* evaluates its arguments: test, read */
    HF_WRAPPER_GIT,
    HF_WRAPPER_PARALLEL,
    HF_WRAPPER_INPUT, /* its input becomes text for a shell later */
    HF_WRAPPER_LOOSE, /* any argument may hold commands */
} HfCommandWrapperKind;

typedef struct HfCommandWrapper {
    const char *names; /* separated by spaces */
    HfCommandWrapperKind kind;
    const char *short_values; /* letters of options that take a value */
    const char *long_values;  /* long ones, separated by spaces */
    guint skip;               /* words before the command: a host, a duration */
    HfCommandFacts gives;     /* facts that apply to what it runs */
} HfCommandWrapper;

/* NULL when the command runs no other command. */
const HfCommandWrapper *hf_command_wrapper_find(const char *name);
/* The index of the first word that is not one of its options. */
guint hf_command_wrapper_skip_options(const HfCommandWrapper *runner,
                                      const HfScriptCommand *command);
