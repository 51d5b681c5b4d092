/* SPDX-License-Identifier: Apache-2.0 */
/* What the guard has to know about a program before it is started. The facts come from the files
 * themselves: a name proves nothing. */
#pragma once

#include <jansson.h>

#include "hand/apps/app-catalog.h"

/* Of a program that was resolved with the caller's `given` arguments:
 * "executable"   its real path;
 * "names"        its base names: that of the real path, and of the system's link to it;
 * "titles"       the ids and names of installed applications that start with it;
 * "arguments"    what the caller, or a .desktop file that is not the system's, adds;
 * "directory"    where it starts;
 * "home"         the meaning of ~;
 * "system"       whether the file is the system's;
 * "application"  whether an application of the system starts with it;
 * "chromium"     whether it is built on Chromium;
 * "interpreter"  of a script that is not the system's: the real path of what runs it. */
json_t *hf_program_describe(const HfProgram *program, const char *const *given);
