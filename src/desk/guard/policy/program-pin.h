/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned programs: a name in `clients` that belongs to one executable, by its path and, if the
 * owner says so, by its content. Whoever calls itself so and is another is nobody. */
#pragma once

#include "desk/guard/policy/caller.h"
#include "desk/policy/config/config.h"

/* UNAUTHENTICATED when the agreement pins the caller's name to another program than the one that
 * its process runs now. Reads the file, once, when its hash is not known yet. */
gboolean hf_program_pin_check(const HfConfig *config, const HfCaller *caller, GError **error);
