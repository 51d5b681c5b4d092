/* SPDX-License-Identifier: Apache-2.0 */
/* A script file: its content, its interpreter, and a command that runs exactly this content, even
 * if the file changes meanwhile. */
#pragma once

#include "shared/base/json.h"

typedef struct HfScriptFile {
    char *path;            /* with links resolved */
    char **interpreter;    /* with its options; empty: the file runs by itself */
    char *content;         /* as text, up to the first NUL */
    gsize length;          /* of the text */
    gboolean binary;       /* there is more after the NUL */
    char sha256[65];       /* of the whole file */
    gboolean runs_as_text; /* a shell gets the text itself instead of the file */
} HfScriptFile;

/* FORBIDDEN when shells of this plan cannot see it, FILE_NOT_FOUND or PRECONDITION_FAILED when it
 * is not a readable file, LIMIT_EXCEEDED when it is too long to be checked. */
HfScriptFile *hf_script_file_read(const json_t *plan, const char *path, GError **error);
void hf_script_file_free(HfScriptFile *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScriptFile, hf_script_file_free)

/* For the guard: see HfTool.inspect. */
json_t *hf_script_file_describe(const HfScriptFile *script, char *const *arguments);
/* For a shell. */
char *hf_script_file_command(const HfScriptFile *script, char *const *arguments);
