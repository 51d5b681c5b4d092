/* SPDX-License-Identifier: Apache-2.0 */
/* Nonces of requests that were taken and have not expired, so that a desk that is started anew
 * takes none of them again. */
#pragma once

#include "desk/records/store/store.h"

typedef void (*HfNonceRow)(const char *client, const char *nonce, gint64 expires_ms, gpointer data);

/* Those that have not expired, at most `most`. */
gboolean hf_nonce_rows_load(HfStore *store, gint64 now_ms, gint64 most, HfNonceRow row,
                            gpointer data, GError **error);
/* One more; and those that expired before a time go. It outlives this process when this returns
 * TRUE, and a loss of power with the next synced write: what a request does is in the audit,
 * synced, before it is done. */
gboolean hf_nonce_row_add(HfStore *store, const char *client, const char *nonce, gint64 expires_ms,
                          gint64 before_ms, GError **error);
