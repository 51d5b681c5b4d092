/* SPDX-License-Identifier: Apache-2.0 */
/* Where a text may be after its cd commands. */
#pragma once

#include "shared/shell-parser/shell-reader.h"

/* Notes where a command may run, and follows it if it is cd, pushd or popd. */
void hf_script_place_command(HfScriptState *state, HfScriptCommand *command);
void hf_script_enter_directory(HfScriptState *state, const char *target);

/* Around a text that has its own place, such as a subshell. */
GPtrArray *hf_script_save_directories(const HfScriptState *state);
/* What was set inside is possible too. */
void hf_script_join_directories(HfScriptState *state, GPtrArray *take_saved);
/* What was set inside is certainly gone. */
void hf_script_restore_directories(HfScriptState *state, GPtrArray *take_saved);
