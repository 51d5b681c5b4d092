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

/* Fields of config.json: which change of the value gives callers more freedom. Such a change waits
 * for the owner (desk/policy/config/config-loosening.c). */
typedef enum HfLooser {
    HF_LOOSER_ANY,          /* not declared: every change counts */
    HF_LOOSER_NEVER,        /* no change does: it is about form or comfort */
    HF_LOOSER_MORE,         /* a greater number, true, a later choice, another entry */
    HF_LOOSER_LESS,         /* a smaller number, false, an earlier choice, an entry less */
    HF_LOOSER_MORE_OR_NONE, /* as MORE, and 0 or an empty list means no limit at all */
    HF_LOOSER_WITHOUT,      /* a condition: every change of it but adding it */
    HF_LOOSER_TEMPLATE,     /* the name of an approval template: judged by what it says */
} HfLooser;

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
    HfLooser looser;       /* of the configuration */
    gboolean secret;       /* what a person typed or copied: never reaches a log */
    gboolean others;       /* of a result: text of other programs, which taints the run */
    gboolean binary;       /* of a result: sent beside it as bytes where a door can */
    gboolean written;      /* of a result: path of a file that the call has written */
};

/* A row of a table. Other members follow by name:
 * HF_OPTIONAL("limit", HF_TYPE_INTEGER, "Elements at most", .min = 1, .max = 50). */
#define HF_REQUIRED(name_, type_, about_, ...)                                                     \
    {                                                                                              \
        .name = (name_), .type = (type_), .required = TRUE, .about = (about_), __VA_ARGS__         \
    }
#define HF_OPTIONAL(name_, type_, about_, ...)                                                     \
    {                                                                                              \
        .name = (name_), .type = (type_), .about = (about_), __VA_ARGS__                           \
    }
/* The same by type. */
#define HF_STRING(name_, about_, ...)  HF_OPTIONAL(name_, HF_TYPE_STRING, about_, __VA_ARGS__)
#define HF_INTEGER(name_, about_, ...) HF_OPTIONAL(name_, HF_TYPE_INTEGER, about_, __VA_ARGS__)
#define HF_NUMBER(name_, about_, ...)  HF_OPTIONAL(name_, HF_TYPE_NUMBER, about_, __VA_ARGS__)
#define HF_BOOLEAN(name_, about_, ...) HF_OPTIONAL(name_, HF_TYPE_BOOLEAN, about_, __VA_ARGS__)
#define HF_ARRAY(name_, about_, ...)   HF_OPTIONAL(name_, HF_TYPE_ARRAY, about_, __VA_ARGS__)
#define HF_OBJECT(name_, about_, ...)  HF_OPTIONAL(name_, HF_TYPE_OBJECT, about_, __VA_ARGS__)

/* The result of a tool whose failures are errors. */
#define HF_RESULT_SUCCESS HF_REQUIRED("success", HF_TYPE_BOOLEAN, "Always true")

const char *hf_type_name(HfType type);
const HfParam *hf_param_find(const HfParam *table, const char *name);
