/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of command flags and tool parameters, for help and completion. */
#pragma once

#include "shared/base/types.h"

/* One line, in the person's language; "" when nothing is known. Some flags mean something else
 * with some commands. */
const char *hf_cli_flag_about(const char *command, const char *flag);

/* The same for a parameter or a result of a tool. */
const char *hf_cli_param_about(const HfParam *param);
