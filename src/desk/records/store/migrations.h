/* SPDX-License-Identifier: Apache-2.0 */
/* The history of the tables: each entry is applied once, in order, and never changed again. */
#pragma once

#include "desk/records/store/store.h"

/* SQL that leads from version N to N + 1; ended by NULL. */
extern const char *const hf_store_migrations[];
