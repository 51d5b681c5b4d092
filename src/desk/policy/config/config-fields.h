/* SPDX-License-Identifier: Apache-2.0 */
/* The schema of config.json: the meaning, type and default of every field. Checks, defaults and
 * `handfast config` are made from it. */
#pragma once

#include "shared/tool/param.h"

extern const HfParam hf_config_fields[];

/* "auto_approve", "notify_only", "require_approval", "always_block"; ended by NULL. */
extern const char *const hf_approval_actions[];
