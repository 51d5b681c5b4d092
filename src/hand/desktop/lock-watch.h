/* SPDX-License-Identifier: Apache-2.0 */
/* Listens on the buses for a lock of the screen, so that asking costs nothing: screen savers on
 * the desktop's session bus, the login manager on the system bus. */
#pragma once

#include "shared/base/types.h"

typedef struct HfLockWatch HfLockWatch;

/* `display` tells which of the user's login sessions is meant: ":0". Never fails: what cannot be
 * asked does not lock. */
HfLockWatch *hf_lock_watch_new(const char *display);
void hf_lock_watch_free(HfLockWatch *watch);

/* Waits for the first answers at most HF_LOCK_FIRST_ANSWER_MS, once in the life of a watch. */
gboolean hf_lock_watch_is_locked(HfLockWatch *watch);
