/* SPDX-License-Identifier: Apache-2.0 */
/* What goes out on a connection: lines, and descriptors that travel with the first byte of theirs.
 * What the socket does not take at once waits here, within bounds. One thread at a time. */
#pragma once

#include <glib.h>

typedef struct HfOutbox HfOutbox;

/* Writes to `fd`, which stays the caller's. */
HfOutbox *hf_outbox_new(int fd);
void hf_outbox_free(HfOutbox *outbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOutbox, hf_outbox_free)

/* FALSE when the connection is broken, or its reader lets too much pile up. Consumes the
 * descriptors (`take_fds`, NULL: none), whose content has `fd_bytes` in all. */
gboolean hf_outbox_send(HfOutbox *outbox, const char *text, gsize length, GArray *take_fds,
                        gsize fd_bytes);
/* Writes what the socket takes of what waits; FALSE when the connection is broken. */
gboolean hf_outbox_flush(HfOutbox *outbox);
/* How many bytes wait. */
gsize hf_outbox_get_length(const HfOutbox *outbox);
gboolean hf_outbox_is_empty(const HfOutbox *outbox);
