/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a request ends and the next one begins, before libsoup reads a byte of it. Refuses
 * what two parsers could read differently and what libsoup handles badly: see framing-stream.c.
 * Pure. */
#pragma once

#include <glib.h>

typedef struct HfHttpFraming HfHttpFraming;

HfHttpFraming *hf_http_framing_new(void);
HfHttpFraming *hf_http_framing_ref(HfHttpFraming *framing);
void hf_http_framing_unref(HfHttpFraming *framing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpFraming, hf_http_framing_unref)

/* Takes the next bytes of the connection. Returns how many of them may be passed on. Fewer than
 * given: their request is refused, and nothing more comes through. */
gsize hf_http_framing_take(HfHttpFraming *framing, const char *bytes, gsize length);
/* No request has begun since the last one. */
gboolean hf_http_framing_is_between(const HfHttpFraming *framing);
/* The client has sent everything. FALSE when it stopped in the middle of a request. */
gboolean hf_http_framing_end(HfHttpFraming *framing);
/* The reason; NULL when nothing was refused. */
const GError *hf_http_framing_get_refusal(const HfHttpFraming *framing);
/* The connection stops being HTTP: everything comes through from now on. */
void hf_http_framing_open(HfHttpFraming *framing);
