/* SPDX-License-Identifier: Apache-2.0 */
/* The description of one value: a parameter of a tool, a member of its result, or a part of
 * either. Checks, JSON Schema, command-line flags and manuals are all made from it. */
#pragma once

#include <glib.h>

#include "shared/base/types.h"

typedef enum HfType {
    HF_TYPE_NONE, /* ends a table */
    HF_TYPE_STRING,
    HF_TYPE_INTEGER,
    HF_TYPE_NUMBER,
    HF_TYPE_BOOLEAN,
    HF_TYPE_ARRAY,
    HF_TYPE_OBJECT,
} HfType;

/* What a text is to the risk rules. Every parameter of a tool that takes free text, or a list of
 * it, declares it; 0 is "not declared", which a test refuses. */
typedef enum HfMeans {
    HF_MEANS_NONE,
    HF_MEANS_PLAIN,         /* nothing that a rule checks */
    HF_MEANS_COMMAND,       /* text for a shell */
    HF_MEANS_PROGRAM,       /* a program to start, without a shell */
    HF_MEANS_ARGUMENTS,     /* the arguments of that program */
    HF_MEANS_KEYS,          /* names of keys that are pressed together */
    HF_MEANS_TYPED,         /* text for the window in front */
    HF_MEANS_TERMINAL,      /* text for a shell in one of our terminals */
    HF_MEANS_TERMINAL_KEYS, /* and keys, one after the other */
    HF_MEANS_COPIED,        /* text that a window gets on a paste */
    HF_MEANS_TEXT,          /* text for another destination */
    HF_MEANS_PATH,
    HF_MEANS_URL,
    HF_MEANS_APP,       /* a running application */
    HF_MEANS_WINDOW,    /* title or class of a window */
    HF_MEANS_RECIPIENT, /* the recipient of a message: a person, a group, an address */
    HF_MEANS_CALLS,     /* calls of other tools, {tool, params}: each is judged as declared there */
} HfMeans;

struct HfParam {
    const char *name;
    HfType type;
    const char *about;
    gboolean required;
    const char *const *choices; /* strings: the only ones allowed, NULL-terminated */
    const char *fallback;       /* the default, as JSON text: "80", "\"jpeg\"", "true" */
    /* Numbers: the range. Strings: the length in bytes. Arrays and maps: the count. Both 0: any. */
    double min, max;
    /* Arrays: one entry that describes each member. Objects without `fields`: a map, whose members
     * have names of the caller's choice and values of this kind. */
    const HfParam *items;
    const HfParam *fields; /* objects: a table that ends with {0}; NULL allows any member */
    const HfParam *also;   /* an alternative form of the value, of another type */
    HfMeans means;         /* free text: what it is to the rules */
    gboolean secret;       /* what a person typed or copied: never reaches a log */
    gboolean others;       /* of a result: text of other programs, which taints the run */
    gboolean binary;       /* of a result: sent beside it as bytes where a door can */
};

const char *hf_type_name(HfType type);
const HfParam *hf_param_find(const HfParam *table, const char *name);
