/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the Exec line of a .desktop file into the arguments of a program. No shell reads it. */
#pragma once

#include <glib.h>

/* What the field codes stand for; NULL members are left out. */
typedef struct HfExecFields {
    const char *const *arguments; /* from the caller, in place of files and URLs */
    const char *icon;
    const char *name; /* translated */
    const char *file; /* the .desktop file itself */
} HfExecFields;

/* NULL-terminated. The caller's arguments go where the line wants files or URLs (%f %F %u %U), else
 * to its end. INVALID_PARAMS when the line is broken or empty. */
char **hf_exec_parse(const char *line, const HfExecFields *fields, GError **error);
