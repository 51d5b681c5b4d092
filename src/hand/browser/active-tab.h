/* SPDX-License-Identifier: Apache-2.0 */
/* Which tab of a browser is in front: the one that the last call worked in, unless its owner, a key
 * or a page has brought another there since. */
#pragma once

#include "hand/browser/browser.h"

/* With the lock held. The tab in front is told that it is looked at, whatever has the focus of the
 * desktop: pages draw and take input only then. NULL: none is. */
void hf_browser_set_active_tab(HfBrowser *browser, HfTab *tab);
/* Asks the other tabs, if there are any, whether they show; one that does not answer soon does not.
 */
void hf_browser_find_active_tab(HfBrowser *browser, const HfDeadline *deadline);
