/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong tokens: each one of an address makes the next answer to it later. Whoever shows a good
 * token is never made to wait. Main thread only. */
#pragma once

#include <glib.h>

typedef struct HfAuthBackoff HfAuthBackoff;

HfAuthBackoff *hf_auth_backoff_new(void);
void hf_auth_backoff_free(HfAuthBackoff *delays);

/* How long to wait before this one is told, in ms; `ret_count` says how many there were of late. */
guint hf_auth_backoff_add(HfAuthBackoff *delays, const char *address, gint64 now_us,
                          guint *ret_count);
