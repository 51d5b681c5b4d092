/* The description of one value: a parameter of a tool, a member of its result, or a part of
 * either. Checks, JSON Schema, command-line flags and manuals are all made from it. */
#pragma once

#include <glib.h>

#include "base/types.h"

typedef enum HfType {
    HF_TYPE_NONE, /* ends a table */
    HF_TYPE_STRING,
    HF_TYPE_INTEGER,
    HF_TYPE_NUMBER,
    HF_TYPE_BOOLEAN,
    HF_TYPE_ARRAY,
    HF_TYPE_OBJECT,
} HfType;

struct HfParam {
    const char *name;
    HfType type;
    const char *about;
    gboolean required;
    const char *const *choices; /* strings: the only ones allowed, ended by NULL */
    const char *fallback;       /* the default, as JSON text: "80", "\"jpeg\"", "true" */
    /* Numbers: the range. Strings: the length in bytes. Arrays: the count. Both 0: any. */
    double min, max;
    const HfParam *items;  /* arrays: one entry that describes each member */
    const HfParam *fields; /* objects: a table ended by {0}; NULL allows any member */
    const HfParam *also;   /* another form of the value, of another type, that is taken as well */
    gboolean secret;       /* what a person typed or copied: never reaches a log */
};

const char *hf_type_name(HfType type);
const HfParam *hf_param_find(const HfParam *table, const char *name);
