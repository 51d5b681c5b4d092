/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the parser. A reader walks over one text; nested texts (bash -c, eval,
 * backticks) get their own reader that shares the state. */
#pragma once

#include "shared/shell-parser/shell-script.h"

typedef struct HfScriptVariable {
    char *text;
    gboolean decided;
    gboolean more; /* whatever a command reads or finds, piece by piece */
} HfScriptVariable;

/* Shared by all readers of one script. */
typedef struct HfScriptState {
    HfScript *script;
    GHashTable *variables;  /* name → HfScriptVariable */
    GHashTable *aliases;    /* name → text */
    GHashTable *written;    /* files that the text writes */
    GHashTable *fetched;    /* those of them that come from elsewhere */
    GPtrArray *directories; /* char: where it may be after cd; NULL: where it began */
    GPtrArray *visited;     /* char: where it has been */
    guint places;           /* arguments times places so far */
    gsize bytes_left;       /* bytes of text over all readers: limits what nests */
    int depth;
    int conditional; /* what is read now may not run */
    const char *function;
    HfCommandFacts inherited;   /* facts of the command that runs this text */
    const char *path, *content; /* a file whose content is known; NULL: none, or it is being read */
} HfScriptState;

typedef struct HfScriptReader {
    const char *text;
    gsize at, length;
    gsize here_line;   /* the newline after which here-documents begin; 0: none pending */
    gsize here_resume; /* where the text continues after them */
    int parent, place; /* where pipelines of this text stand */
    HfScriptState *state;
} HfScriptReader;

/* How a byte got into a word. */
typedef enum HfQuoting {
    HF_QUOTING_NONE,
    HF_QUOTING_QUOTED,
    HF_QUOTING_VALUE, /* from an unquoted variable: may be split into words */
} HfQuoting;

/* A word before splitting: bytes, and how each one got there. */
typedef struct HfRawWord {
    GString *text, *marks;
    gboolean unsure, quoted;
    gboolean more;    /* stands for several arguments that the text does not show */
    gsize start, end; /* in the reader's text */
} HfRawWord;

/* command-list.c */
void hf_script_read_text(HfScriptState *state, const char *text, gsize length, int parent,
                         int place);
/* Reads commands until ')' or the end of the text. */
void hf_script_read_list(HfScriptReader *reader, char closing);
int hf_script_add_pipeline(HfScript *script, int parent, int place);

/* One level deeper; FALSE when that is too deep, and the text is given up. */
gboolean hf_script_nest_deeper(HfScriptReader *reader);

/* shell-word.c */
HfRawWord *hf_raw_word_new(void);
void hf_raw_word_free(HfRawWord *word);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRawWord, hf_raw_word_free)
/* One word at the reader's position; empty when there is none. */
HfRawWord *hf_script_read_word(HfScriptReader *reader);
/* Reads text as between double quotes, to the end: a here-document's body. */
char *hf_script_expand_text(HfScriptReader *reader, const char *text, gsize length,
                            gboolean *ret_decided);
void hf_script_add_char(HfRawWord *word, char character, HfQuoting mark);
void hf_script_mark_unreadable(HfScriptReader *reader);

/* dollar-expansion.c */
void hf_script_read_dollar(HfScriptReader *reader, HfRawWord *word, gboolean quoted);
void hf_script_read_backticks(HfScriptReader *reader, HfRawWord *word, gboolean quoted);
/* After '<(' or '>(' or '$(': the commands up to ')'. */
void hf_script_read_inner(HfScriptReader *reader);

/* word-expansion.c: appends the words that a raw word becomes to `words`. */
void hf_script_expand_word(const HfRawWord *raw, GPtrArray *words);
void hf_script_set_variable(HfScriptState *state, const char *name, const char *text,
                            gboolean decided);
/* A variable that gets one piece after the other of what the text does not show. */
void hf_script_set_more(HfScriptState *state, const char *name, const char *text);

/* shell-script.c */
HfScriptWord *hf_script_word_new(const char *text, gboolean decided, gboolean quoted);
void hf_script_word_free(HfScriptWord *word);
HfScriptCommand *hf_script_command_new(void);
void hf_script_command_free(HfScriptCommand *command);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScriptCommand, hf_script_command_free)
const HfScriptWord *hf_script_command_word(const HfScriptCommand *command, guint index);
void hf_script_command_set(HfScriptCommand *command, char *take_name, const char *value);

/* nested-commands.c: takes a complete command and finds those that it runs. */
void hf_script_add_command(HfScriptState *state, HfScriptCommand *take_command);
/* A text that `command` passes to a shell. */
void hf_script_read_nested(HfScriptState *state, const HfScriptCommand *command, const char *text,
                           HfCommandFacts facts);
/* The words from `first` to `end` as a separate command in the same place. */
void hf_script_run_words(HfScriptState *state, const HfScriptCommand *command, guint first,
                         guint end, HfCommandFacts facts);
gboolean hf_script_is_assignment(const char *text);

/* command-output.c: what a command prints, if the text alone determines it; otherwise NULL. */
char *hf_script_command_output(const HfScriptCommand *command);
/* Whether it prints where a program is: its name is a good guess for that, but no more. */
gboolean hf_script_is_lookup(const HfScriptCommand *command);
/* The previous command in its pipeline; NULL: none. */
const HfScriptCommand *hf_script_previous_command(const HfScript *script,
                                                  const HfScriptCommand *command);
