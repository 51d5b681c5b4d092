/* SPDX-License-Identifier: Apache-2.0 */
/* Hides the covered pages of a stack. GTK 4.8 reports all pages as visible, at their last position;
 * the tab or row that selects a page tells which one shows. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"

/* Call it before hf_tree_finish. Password fields stay visible: a guess must not unmask one. */
void hf_stacked_pages_hide(HfTree *tree);
