/* SPDX-License-Identifier: Apache-2.0 */
/* The outgoing side of a connection: lines, and descriptors that travel with a line's first byte.
 * What the socket does not take at once waits here, up to a limit. One thread at a time. */
#pragma once

#include <glib.h>

typedef struct HfOutbox HfOutbox;

/* Writes to `fd`, which the caller keeps. */
HfOutbox *hf_outbox_new(int fd);
void hf_outbox_free(HfOutbox *outbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOutbox, hf_outbox_free)

/* FALSE when the connection is broken or the backlog is too large. Consumes the descriptors
 * (`take_fds`, NULL: none), whose content has `fd_bytes` in all. */
gboolean hf_outbox_send(HfOutbox *outbox, const char *text, gsize length, GArray *take_fds,
                        gsize fd_bytes);
/* Writes waiting bytes until the socket is full; FALSE when the connection is broken. */
gboolean hf_outbox_flush(HfOutbox *outbox);
/* The number of waiting bytes. */
gsize hf_outbox_get_length(const HfOutbox *outbox);
gboolean hf_outbox_is_empty(const HfOutbox *outbox);
