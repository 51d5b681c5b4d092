/* SPDX-License-Identifier: Apache-2.0 */
/* Text that a shell evaluates although it was quoted: values, subscripts, completions. */
#pragma once

#include "shared/shell-parser/shell-reader.h"

/* Reads the substitutions in a text that `command` evaluates. Quotes have kept them from being
 * read so far. */
void hf_script_read_evaluated(HfScriptState *state, const HfScriptCommand *command,
                              const char *text);
/* The same for a word of [[ ]], which is no command. */
void hf_script_read_evaluated_word(const HfScriptReader *reader, const char *text);
/* read, test, printf -v and similar: what they evaluate, and the variables that they set. */
void hf_script_run_builtin(HfScriptState *state, HfScriptCommand *command);
/* export, declare and similar. */
void hf_script_run_declare(HfScriptState *state, HfScriptCommand *command);
