/* SPDX-License-Identifier: Apache-2.0 */
/* One rule, ready for matching. rule-load.c makes it from JSON; it never changes afterwards. */
#pragma once

#include "shared/rules/rules.h"
#include "shared/shell-parser/shell-script.h"

typedef enum HfLooksAt {
    HF_LOOKS_NOWHERE,
    HF_LOOKS_AT_COMMAND,
    HF_LOOKS_AT_KEYS,
    HF_LOOKS_AT_TEXT,
    HF_LOOKS_AT_PATH,
    HF_LOOKS_AT_URL,
    HF_LOOKS_AT_APP,
    HF_LOOKS_COUNT,
} HfLooksAt;

struct HfRule {
    char *id;
    HfLooksAt looks_at;
    HfRisk risk;
    gboolean block;       /* refused, whatever the policy says */
    gboolean ask_always;  /* the owner is asked each time */
    gboolean overridable; /* the owner's file may make it less strict or turn it off */
    gboolean owners;      /* from the owner's file, or changed by it */
    gboolean off;
    char *message, *message_zh;
    /* Commands. NULL or 0 means any; everything else has to match. */
    char **names;           /* globs */
    GPtrArray *flags;       /* char **: of each group at least one */
    char **lacks_flags;     /* none of these */
    char **words;           /* globs for the first arguments that are not options */
    GPtrArray *arguments;   /* GRegex: each matches an argument */
    GRegex *lacks_argument; /* matches none */
    GRegex *text;           /* in its arguments or its input */
    GRegex *lacks_text;
    GRegex *code;             /* in a program of another language */
    GRegex *redirect, *reads; /* what it writes to, or reads from */
    char **from;              /* globs for commands that feed it */
    char **with;              /* globs for other commands of the text */
    char **sets;              /* variables set before it */
    GRegex *lacks_value;      /* does not match the value of that variable */
    HfCommandFacts facts;     /* one of these */
    HfScriptFacts script_facts;
    /* Keys: sets of keysyms; all keys of one set must be pressed. */
    GPtrArray *chords; /* GArray of guint32 */
    /* Text and paths: a regular expression. */
    GRegex *pattern;
    GPtrArray *paths;     /* HfProtectedPath: paths, besides the expression */
    gboolean writes;      /* paths: only when it is written to */
    gboolean unless_read; /* paths: unless it is certainly only read */
    char **domains;       /* URLs: globs for the host */
    char **apps;          /* globs for process, executable, class or title */
    char **titles;        /* globs for the title alone */
};

void hf_rule_free(HfRule *rule);
/* Whether the command matches; `ret_maybe`: it depends on what is known only when it runs. */
gboolean hf_rule_matches_command(const HfRule *rule, const HfScript *script,
                                 const HfScriptCommand *command, gboolean *ret_maybe);
gboolean hf_rule_regex_matches(const GRegex *regex, const char *text);
gboolean hf_rule_globs_match(char *const *globs, const char *text);
