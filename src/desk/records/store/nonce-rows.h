/* SPDX-License-Identifier: Apache-2.0 */
/* Unexpired nonces of accepted requests, so that a restarted desk does not accept them again. */
#pragma once

#include "desk/records/store/store.h"

typedef void (*HfNonceRow)(const char *client, const char *nonce, gint64 expires_ms, gpointer data);

/* Those that have not expired, at most `most`. */
gboolean hf_nonce_rows_load(HfStore *store, gint64 now_ms, gint64 most, HfNonceRow row,
                            gpointer data, GError **error);
/* Adds one and deletes those that expired before `before_ms`. It survives this process at once, and
 * a power failure after the next synced write. That is enough: the audit is synced before a request
 * acts. */
gboolean hf_nonce_row_add(HfStore *store, const char *client, const char *nonce, gint64 expires_ms,
                          gint64 before_ms, GError **error);
