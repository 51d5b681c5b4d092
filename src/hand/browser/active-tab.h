/* SPDX-License-Identifier: Apache-2.0 */
/* The active tab of a browser: the one the last call worked in, unless the owner, a key or a page
 * has activated another one since. */
#pragma once

#include "hand/browser/browser.h"

/* With the lock held. The active tab gets focus emulation whatever has the desktop's focus, because
 * pages draw and take input only with focus. NULL: no tab is active. */
void hf_browser_set_active_tab(HfBrowser *browser, HfTab *tab);
/* Asks the other tabs whether they are visible; one that does not answer soon counts as hidden. */
void hf_browser_find_active_tab(HfBrowser *browser, const HfDeadline *deadline);
