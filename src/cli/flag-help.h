/* SPDX-License-Identifier: Apache-2.0 */
/* What the flags of commands and the members of tools mean, for help and completion. */
#pragma once

#include "shared/base/types.h"

/* One line, in the person's language; "" when nothing is known. `command` may give a flag a meaning
 * of its own. */
const char *hf_cli_flag_about(const char *command, const char *flag);

/* Of a parameter or a result of a tool, as above. */
const char *hf_cli_param_about(const HfParam *param);
