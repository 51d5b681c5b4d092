/* SPDX-License-Identifier: Apache-2.0 */
/* The usage of a command, parsed from the text that people read: "new NAME [--size WxH]".
 * Arguments, help, completion and the manual page all use it, so they cannot differ. */
#pragma once

#include <glib.h>

typedef enum HfUsageKind {
    HF_USAGE_LITERAL, /* in lower case: literal */
    HF_USAGE_VALUE,   /* anything else stands for a value */
    HF_USAGE_FLAG,    /* with hyphens */
} HfUsageKind;

typedef struct HfUsageWord {
    HfUsageKind kind;
    char *name;  /* the literal, the value's name, or the flag without its hyphens */
    char *value; /* of a flag: the name of its value, or its choices ("a|b"); NULL: no value */
    gboolean optional; /* [in brackets] */
    gboolean repeats;  /* followed by ... */
} HfUsageWord;

/* One form: its words, in order. */
typedef struct HfUsageForm {
    GPtrArray *words; /* of HfUsageWord */
} HfUsageForm;

/* The forms of a usage, one per line, as an array of HfUsageForm. */
GPtrArray *hf_usage_new(const char *usage);

/* The choices in a value's name, or NULL when it can be anything: "16|24|30", not "JSON|-|@FILE".
 */
char **hf_usage_dup_choices(const char *value);
