/* SPDX-License-Identifier: Apache-2.0 */
/* Trees from tests/unit/data. */
#pragma once

#include "hand/atspi/tree/tree.h"

/* "forms": two programs in English and Chinese, with fields, rows that look alike, hidden menus. */
HfTree *hf_test_tree(const char *name);
/* With changes, by index: {"26": {"name": "Dave"}}; null takes an element away with all in it. */
HfTree *hf_test_tree_changed(const char *name, const char *changes);

/* The whole tree; members without information are left out. An error names the wrong member. */
json_t *hf_test_tree_to_json(const HfTree *tree);
HfTree *hf_test_tree_from_json(const json_t *json, GError **error);
