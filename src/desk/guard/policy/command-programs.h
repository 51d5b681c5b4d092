/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that run what they are told: shells, interpreters, terminals, debuggers. To launch one
 * is to run a command. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* `program` is what the hand says about it (hand/apps/program-facts.h). Why it counts as a command,
 * for a message: "it is ...". NULL: it is an ordinary application. Borrowed. */
const char *hf_command_program_reason(const json_t *program);
/* Whether it is a browser, which takes addresses as arguments. */
gboolean hf_command_program_is_browser(const json_t *program);
