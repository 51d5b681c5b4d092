/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are loaded when they are first needed: what few calls need must not cost each of
 * our processes memory. A user lists its functions once:
 *
 *   #define FUNCTIONS(X) X(spng_ctx_new) X(spng_ctx_free)
 *   typedef struct Functions { FUNCTIONS(HF_LIBRARY_MEMBER) } Functions;
 *   static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL) {0}};
 */
#pragma once

#include <glib.h>
#include <stddef.h>

#define HF_LIBRARY_MEMBER(NAME) __typeof__(NAME) *NAME;
/* For a struct with the name Functions. */
#define HF_LIBRARY_SYMBOL(NAME) {#NAME, offsetof(Functions, NAME)},

typedef struct HfSymbol {
    const char *name;
    gsize offset; /* of the function's member */
} HfSymbol;

typedef struct HfLibrary {
    const char *file;        /* "libspng.so.0" */
    const char *purpose;     /* completes "which ...": "reads PNG pictures" */
    const char *install;     /* packages, for the suggestion */
    const HfSymbol *symbols; /* ended by {0} */
    gsize size;              /* of the struct */
    GOnce once;
} HfLibrary;

/* All functions, from any thread; the library stays loaded. UNSUPPORTED when it is not installed.
 */
gconstpointer hf_library_get(HfLibrary *library, GError **error);
