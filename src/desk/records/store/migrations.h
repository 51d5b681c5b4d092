/* SPDX-License-Identifier: Apache-2.0 */
/* The migrations of the database: each is applied once, in order, and never changed afterwards. */
#pragma once

#include "desk/records/store/store.h"

/* SQL that leads from version N to N + 1; ended by NULL. */
extern const char *const hf_store_migrations[];
