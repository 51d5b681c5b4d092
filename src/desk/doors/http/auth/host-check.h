/* SPDX-License-Identifier: Apache-2.0 */
/* The host names that clients may use for this machine. A foreign web page can point its own name
 * at this machine (DNS rebinding) or send cross-site requests; both carry a foreign name. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Whether a Host header names this machine: localhost, 127.0.0.1, [::1], one of `own` (the
 * addresses that we listen on) or one of `more` (the owner's list), with any port. */
gboolean hf_http_host_is_ours(const char *host, char *const *own, const json_t *more);
/* The same for an Origin header: http or https, and one of our hosts. */
gboolean hf_http_origin_is_ours(const char *origin, char *const *own, const json_t *more);
