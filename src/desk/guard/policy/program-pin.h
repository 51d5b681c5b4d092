/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned programs: a name in `clients` can belong to one executable, by its path and optionally its
 * SHA-256. Another executable that uses the name is rejected. */
#pragma once

#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"

/* UNAUTHENTICATED when the configuration pins the caller's name to another program than its process
 * runs now. Reads and hashes the file the first time. */
gboolean hf_program_pin_check(const HfConfig *config, const HfCaller *caller, GError **error);
