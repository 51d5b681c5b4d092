/* SPDX-License-Identifier: Apache-2.0 */
/* The browsers of a desktop: one per caller, so that nobody gets into the pages, cookies and logins
 * of somebody else. */
#pragma once

#include "hand/browser/browser.h"

/* The browser of the caller that the walls name (desk/guard/steps/risk.c), started if needed and
 * limited to these walls from now on. DESKTOP_UNAVAILABLE if it does not start, and once, with its
 * pages, after the last one ended, unless an empty one will do (`fresh`). LIMIT_EXCEEDED if too
 * many are in use. */
HfBrowser *hf_browsers_acquire(HfDesktop *desktop, const json_t *walls, gboolean fresh,
                               const HfDeadline *deadline, GError **error);
/* Whether that caller has a running browser. */
gboolean hf_browsers_are_running(HfDesktop *desktop, const json_t *walls);
/* A stop: kills all of them at once, on any thread. */
void hf_browsers_kill(HfDesktop *desktop);
/* The owner's current lists of hosts: {"allowed": [glob], "blocked": [glob]}. */
void hf_browsers_take_live_domains(HfDesktop *desktop, const json_t *domains);
