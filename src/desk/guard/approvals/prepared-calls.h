/* SPDX-License-Identifier: Apache-2.0 */
/* Actions that were prepared and not yet done. A token stands for exactly one call, can be used
 * once, and only for a while; it does not outlive the desk. */
#pragma once

#include <glib.h>

typedef struct HfPreparedCalls HfPreparedCalls;

HfPreparedCalls *hf_prepared_calls_new(void);
void hf_prepared_calls_free(HfPreparedCalls *prepared);

/* A token for the call with this hash. When there are too many, the oldest ends. Owned. */
char *hf_prepared_calls_add(HfPreparedCalls *prepared, const char *hash, gint64 now_us);
/* Uses the token up. DESKTOP_CONFIRM_REQUIRED when there is none such (any more), or it stands for
 * another call: then it is used up as well. */
gboolean hf_prepared_calls_use(HfPreparedCalls *prepared, const char *token, const char *hash,
                               gint64 now_us, GError **error);
