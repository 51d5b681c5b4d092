/* SPDX-License-Identifier: Apache-2.0 */
/* What a text would do if a shell read it: its simple commands, however they are nested, quoted or
 * wrapped, each with its words, its redirections and its input. It runs nothing. Where the text
 * alone does not decide, it says so instead of guessing: a caller treats such a command as
 * dangerous. */
#pragma once

#include <glib.h>

/* Marks text in a word that is known only when the command runs. */
#define HF_SCRIPT_UNKNOWN '\x01'

typedef struct HfScriptWord {
    char *text;       /* quotes removed, variables of the text replaced; the best guess */
    gboolean decided; /* FALSE: may be another text, or several words, when it runs */
    gboolean quoted;  /* begins with a quote: never several words */
} HfScriptWord;

typedef struct HfScriptRedirect {
    gboolean writes; /* else reads */
    HfScriptWord target;
} HfScriptRedirect;

typedef enum HfCommandFacts {
    HF_COMMAND_UNDECIDED = 1 << 0,   /* which program it is */
    HF_COMMAND_MORE = 1 << 1,        /* gets arguments that are not in the text (xargs, read) */
    HF_COMMAND_UNREAD_TEXT = 1 << 2, /* runs text that cannot be seen: a pipe, eval "$X" */
    HF_COMMAND_WRITTEN = 1 << 3,     /* runs a file that this text has written or fetched */
    HF_COMMAND_AS_ROOT = 1 << 4,     /* below sudo, su, doas, pkexec */
    HF_COMMAND_BACKGROUND = 1 << 5,
    HF_COMMAND_FETCHED = 1 << 6,   /* runs a file that this text has fetched from elsewhere */
    HF_COMMAND_PRIVILEGE = 1 << 7, /* mentions sudo or similar where it may run it */
    HF_COMMAND_GUESSED = 1 << 8,   /* an argument that may be a command, or just a word */
} HfCommandFacts;

typedef struct HfScriptCommand {
    char *name;           /* the command word without its directory; "": none */
    GPtrArray *words;     /* HfScriptWord: the command word and its arguments */
    GPtrArray *redirects; /* HfScriptRedirect */
    GPtrArray *sets;      /* char: names of the variables set before it */
    GPtrArray *values;    /* char: their values; "": the environment's */
    char *input; /* its input, if the text determines it: here-documents, echo | ...; or NULL */
    char *code;  /* a program in another language: python -c, awk; or NULL */
    HfCommandFacts facts;
    int pipeline, place;        /* its pipeline, and where it stands in it */
    int inner_first, inner_end; /* pipelines inside its words: $( ), <( ) */
    const char *function;       /* inside the body of this one; borrowed; or NULL */
    GPtrArray *directories;     /* char: where it may run, after cd; NULL: where the text does */
} HfScriptCommand;

typedef enum HfScriptFacts {
    HF_SCRIPT_UNREADABLE = 1 << 0, /* a quote or bracket is not closed, or similar */
    HF_SCRIPT_TOO_MUCH = 1 << 1,   /* too long, too deep, or too many commands */
    HF_SCRIPT_FORK_BOMB = 1 << 2,  /* a function that starts itself more than once */
} HfScriptFacts;

typedef struct HfScript {
    GPtrArray *commands; /* HfScriptCommand */
    GArray *pipelines;   /* where each one stands in another */
    HfScriptFacts facts;
    GPtrArray *names; /* storage that commands borrow from */
} HfScript;

/* Never NULL, whatever the text. */
HfScript *hf_script_read(const char *text);
/* A program with its arguments, started without a shell. */
HfScript *hf_script_read_arguments(const char *const *arguments);
/* The same when the content of the file at `path`, which an argument names, is known: if the
 * program reads a script or a program in its language from there, that is read too. */
HfScript *hf_script_read_file(const char *const *arguments, const char *path, const char *content);
void hf_script_free(HfScript *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScript, hf_script_free)

/* Whether the output of `from` reaches `to`, through pipes or substitutions. */
gboolean hf_script_feeds(const HfScript *script, const HfScriptCommand *from,
                         const HfScriptCommand *to);
/* Its arguments as text for a person: at most `limit` bytes. */
char *hf_script_command_describe(const HfScriptCommand *command, gsize limit);
