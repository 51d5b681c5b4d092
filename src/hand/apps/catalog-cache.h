/* SPDX-License-Identifier: Apache-2.0 */
/* What is installed, for naming windows: kept between looks, since reading all .desktop files takes
 * longer than everything else that a look at one window does. */
#pragma once

#include "hand/apps/app-catalog.h"

/* As hf_catalog_load, a reference to what all share: never changed. It is read anew after a file
 * was added, replaced or removed; a file that was written in place is noticed within
 * HF_LIMIT_CATALOG_MS. What is started is always looked up in the files themselves. */
GPtrArray *hf_catalog_cache_ref(void);
