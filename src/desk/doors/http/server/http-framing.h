/* SPDX-License-Identifier: Apache-2.0 */
/* Where a request ends and the next begins, found before the HTTP library reads a byte of it. What
 * two readers could understand differently, and what the library handles badly, is refused here:
 * see framing-stream.h. Pure. */
#pragma once

#include <glib.h>

typedef struct HfHttpFraming HfHttpFraming;

HfHttpFraming *hf_http_framing_new(void);
HfHttpFraming *hf_http_framing_ref(HfHttpFraming *framing);
void hf_http_framing_unref(HfHttpFraming *framing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpFraming, hf_http_framing_unref)

/* Takes the next bytes of the connection; returns how many of them may be passed on. Fewer than
 * given: the request that they belong to is refused, and nothing more comes through. */
gsize hf_http_framing_take(HfHttpFraming *framing, const char *bytes, gsize length);
/* The client sends nothing more. FALSE when it ends in the middle of a request, which is refused.
 */
gboolean hf_http_framing_end(HfHttpFraming *framing);
/* Why; NULL when nothing was refused. */
const GError *hf_http_framing_get_refusal(const HfHttpFraming *framing);
/* From now on it is no HTTP any more: everything comes through. */
void hf_http_framing_open(HfHttpFraming *framing);
