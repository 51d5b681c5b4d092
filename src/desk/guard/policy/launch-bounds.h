/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of a grant for a program that is to be started. */
#pragma once

#include "desk/records/store/grant-rows.h"
#include "shared/tool/tool.h"

/* `program` is what the hand says about it (hand/apps/program-facts.h). APP_NOT_ALLOWED when the
 * executable is not in the grant's applications. FORBIDDEN when an argument leads out of its
 * directories or domains, or when the program could leave them by itself. */
gboolean hf_launch_check_bounds(const HfGrantEntry *grant, const json_t *program, GError **error);
