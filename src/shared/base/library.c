/* SPDX-License-Identifier: Apache-2.0 */
/* All or nothing: a library that lacks a function counts as not installed. */
#include "shared/base/library.h"

#include <dlfcn.h>

#include "shared/base/error.h"

static gpointer load_library(gpointer data)
{
    const HfLibrary *library = data;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    g_autofree char *functions = handle ? g_malloc0(library->size) : NULL;
    for (const HfSymbol *symbol = library->symbols; handle && symbol->name; symbol++) {
        void *function = dlsym(handle, symbol->name);
        if (!function)
            return NULL;
        *(void **)(gpointer)(functions + symbol->offset) = function;
    }
    return g_steal_pointer(&functions);
}

gconstpointer hf_library_get(HfLibrary *library, GError **error)
{
    gconstpointer functions = g_once(&library->once, load_library, library);
    if (functions)
        return functions;
    hf_fail(error, HF_ERROR_UNSUPPORTED, "cannot load %s, which %s", library->file,
            library->purpose);
    hf_error_suggest(error, "install it: apt install %s", library->install);
    return NULL;
}
