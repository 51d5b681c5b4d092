/* Trees from tests/unit/data. */
#pragma once

#include "access/tree.h"

/* "forms": two programs in English and Chinese, with fields, rows that look alike, hidden menus. */
HfTree *hf_test_tree(const char *name);
