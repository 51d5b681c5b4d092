/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that lie one upon the other, of which one shows. GTK 4.8 says of all of them that they are
 * visible, and where they were when they last were. Which one shows is told by what chooses it.
 * Pure.
 */
#pragma once

#include "hand/atspi/tree/tree.h"

/* To be called before the tree is finished. Fields of passwords are left as they are: what is only
 * concluded must not show one. */
void hf_stacked_pages_hide(HfTree *tree);
