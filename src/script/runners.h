/* The table of commands that run other commands, and how their words are to be read. */
#pragma once

#include "script/script.h"

typedef enum HfRunnerKind {
    HF_RUNNER_WORDS,    /* the words after its options are a command */
    HF_RUNNER_TEXT,     /* the words after its options, joined, are text for a shell */
    HF_RUNNER_SHELL,    /* a shell: -c TEXT, a file, or its input */
    HF_RUNNER_OPTION_C, /* -c TEXT is for a shell; else as WORDS */
    HF_RUNNER_CODE,     /* a language: inline programs */
    HF_RUNNER_FIND,     /* -exec ... ; */
    HF_RUNNER_TERMINAL, /* -e COMMAND */
    HF_RUNNER_SOURCE,   /* reads a file as a script */
    HF_RUNNER_ALIAS,
    HF_RUNNER_DECLARE, /* export X=1 */
    HF_RUNNER_INPUT,   /* its input is text for a shell, later */
    HF_RUNNER_LOOSE,   /* any argument may hold commands */
} HfRunnerKind;

typedef struct HfRunner {
    const char *names; /* separated by spaces */
    HfRunnerKind kind;
    const char *short_values; /* letters of options that take a value */
    const char *long_values;  /* long ones, separated by spaces */
    guint skip;               /* words before the command: a host, a duration */
    HfCommandFacts gives;     /* to what it runs */
} HfRunner;

/* NULL when the command runs no other that it is told. */
const HfRunner *hf_runner_find(const char *name);
/* The index of the first word that is no option of it. */
guint hf_runner_skip_options(const HfRunner *runner, const HfScriptCommand *command);
