/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in two phases: prepared, and done once confirmed. A token stands for exactly one call,
 * works once and for a limited time, and does not outlive the desk. */
#pragma once

#include <glib.h>

typedef struct HfPreparedCalls HfPreparedCalls;

HfPreparedCalls *hf_prepared_calls_new(void);
void hf_prepared_calls_free(HfPreparedCalls *prepared);

/* A token for the call with this hash. When there are too many, the oldest expires. Owned. */
char *hf_prepared_calls_add(HfPreparedCalls *prepared, const char *hash, gint64 now_us);
/* Uses the token up. DESKTOP_CONFIRM_REQUIRED when it is unknown, expired, or stands for another
 * call; that uses it up too. */
gboolean hf_prepared_calls_use(HfPreparedCalls *prepared, const char *token, const char *hash,
                               gint64 now_us, GError **error);
