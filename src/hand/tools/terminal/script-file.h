/* SPDX-License-Identifier: Apache-2.0 */
/* A script file: what is in it, what runs it, and how exactly that content is run, whatever becomes
 * of the file meanwhile. */
#pragma once

#include "shared/base/json.h"

typedef struct HfScriptFile {
    char *path;      /* where it is, without links */
    char **runs;     /* the program that runs it, with its options; empty: it runs by itself */
    char *content;   /* as text, to its first NUL */
    gsize length;    /* of that */
    gboolean binary; /* there is more behind it */
    char sha256[65]; /* of all of it */
    gboolean pinned; /* a shell runs it that takes the text itself in place of the file */
} HfScriptFile;

/* FORBIDDEN when shells of this plan do not see it, PRECONDITION_FAILED when there is no such
 * script, LIMIT_EXCEEDED when it is too long to be weighed. */
HfScriptFile *hf_script_file_read(const json_t *plan, const char *path, GError **error);
void hf_script_file_free(HfScriptFile *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScriptFile, hf_script_file_free)

/* For the guard: see HfTool.inspect. */
json_t *hf_script_file_describe(const HfScriptFile *script, char *const *arguments);
/* For a shell. */
char *hf_script_file_command(const HfScriptFile *script, char *const *arguments);
