/* SPDX-License-Identifier: Apache-2.0 */
/* The browsers of a desktop: one for each caller that has asked for one, so that nobody gets into
 * the pages, cookies and logins of somebody else. */
#pragma once

#include "hand/browser/browser.h"

/* The one of the caller that the walls name (desk/guard/policy/walls.h), started if there is none,
 * and held to these walls from now on. DESKTOP_UNAVAILABLE when it does not start, and once, with
 * its pages, when the last one has ended, unless `fresh`: an empty one will do. LIMIT_EXCEEDED when
 * too many are in use. */
HfBrowser *hf_browsers_acquire(HfDesktop *desktop, const json_t *walls, gboolean fresh,
                               const HfDeadline *deadline, GError **error);
/* Whether that caller has one. */
gboolean hf_browsers_are_running(HfDesktop *desktop, const json_t *walls);
/* Of all of them, at once, on any thread: a stop. */
void hf_browsers_kill(HfDesktop *desktop);
/* What the owner's agreement says of hosts from now on: {"allowed": [glob], "blocked": [glob]}. */
void hf_browsers_take_live_domains(HfDesktop *desktop, const json_t *domains);
