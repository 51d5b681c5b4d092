/* SPDX-License-Identifier: Apache-2.0 */
/* Back-off for wrong tokens: each wrong token from an address backoff the next answer to that
 * address. A good token is never delayed. Main thread only. */
#pragma once

#include <glib.h>

typedef struct HfAuthBackoff HfAuthBackoff;

HfAuthBackoff *hf_auth_backoff_new(void);
void hf_auth_backoff_free(HfAuthBackoff *backoff);

/* Records a wrong token. Returns the delay of its answer in ms; `ret_count` is the number of recent
 * wrong tokens. */
guint hf_auth_backoff_add(HfAuthBackoff *backoff, const char *address, gint64 now_us,
                          guint *ret_count);
