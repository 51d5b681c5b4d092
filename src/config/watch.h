/* Tells when one of some files may have changed: written, replaced, made or removed, also together
 * with the directories that it lies in. */
#pragma once

#include <glib.h>

typedef struct HfWatch HfWatch;

/* `changed` runs on a thread of its own, after things have been quiet for a moment. */
HfWatch *hf_watch_new(const char *const *paths, GFunc changed, gpointer data);
/* Waits for a `changed` that is running. */
void hf_watch_free(HfWatch *watch);
