/* SPDX-License-Identifier: Apache-2.0 */
/* The Exec line of a .desktop file, turned into the arguments of a program. */
#pragma once

#include <glib.h>

/* What the field codes stand for; NULL members are left out. */
typedef struct HfExecFields {
    const char *const *arguments; /* given by the caller: they take the place of files and URLs */
    const char *icon;
    const char *name; /* translated */
    const char *file; /* the .desktop file itself */
} HfExecFields;

/* NULL-ended. No shell has a part in it. The caller's arguments stand where the line wants files
 * or URLs (%f %F %u %U), else at its end. INVALID_PARAMS when the line is broken or empty. */
char **hf_exec_parse(const char *line, const HfExecFields *fields, GError **error);
