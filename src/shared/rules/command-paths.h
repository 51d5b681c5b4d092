/* SPDX-License-Identifier: Apache-2.0 */
/* The paths in a command, and what it does with each of them. */
#pragma once

#include "shared/rules/protected-path.h"
#include "shared/shell-parser/shell-script.h"

typedef void (*HfCommandPathFunc)(const char *path, HfPathUse use, gpointer data);

/* Calls `func` for each: in arguments, in the values of options, in redirections, and in strings of
 * a program in another language. After cd, relative ones also as seen from there. */
void hf_command_paths_each(const HfScriptCommand *command, HfCommandPathFunc func, gpointer data);
