/* SPDX-License-Identifier: Apache-2.0 */
/* Commands in the arguments of programs that this parser does not know. */
#pragma once

#include "shared/shell-parser/command-wrappers.h"
#include "shared/shell-parser/shell-reader.h"

/* Finds what `command` may run although nothing says so: `wrapper` is its entry in the table, or
 * NULL. Also notes whether it mentions sudo or similar. */
void hf_script_find_hidden(HfScriptState *state, const HfCommandWrapper *wrapper,
                           HfScriptCommand *command);
/* git bisect run COMMAND, git submodule foreach TEXT, and options with a text for a shell. */
void hf_script_run_git(HfScriptState *state, HfScriptCommand *command);
/* parallel COMMAND ::: ARGUMENTS */
void hf_script_run_parallel(HfScriptState *state, const HfCommandWrapper *wrapper,
                            HfScriptCommand *command);
/* xargs -I{}: the command from word `first` on, with its input in place of {}. FALSE: it replaces
 * nothing. */
gboolean hf_script_run_replaced(HfScriptState *state, HfScriptCommand *command, guint first);
