/* SPDX-License-Identifier: Apache-2.0 */
/* Tells when one of some files may have changed: written, replaced, made or removed, also together
 * with the directories that it lies in. */
#pragma once

#include <glib.h>

typedef struct HfConfigWatch HfConfigWatch;

/* `changed` runs on a thread of its own, after things have been quiet for a moment. */
HfConfigWatch *hf_config_watch_new(const char *const *paths, GFunc changed, gpointer data);
/* Waits for a `changed` that is running. */
void hf_config_watch_free(HfConfigWatch *watch);
