/* SPDX-License-Identifier: Apache-2.0 */
/* Every field that config.json may have, as descriptions: what it means, what it may be, and what
 * holds when it is not there. Checks, defaults and `handfast config` are made from these. */
#pragma once

#include "shared/tool/param.h"

extern const HfParam hf_config_fields[];

/* Parts with a file of their own. */
extern const HfParam hf_config_storage_fields[];
extern const HfParam hf_config_cloud_fields[];
extern const HfParam hf_config_scheduler_fields[];
extern const HfParam hf_config_performance_fields[];
extern const HfParam hf_config_ui_fields[];
extern const HfParam hf_config_http_fields[];
extern const HfParam hf_config_privacy_fields[];
extern const HfParam hf_config_shell_fields[];

/* "auto_approve", "notify_only", "require_approval", "always_block"; ended by NULL. */
extern const char *const hf_approval_actions[];
