/* SPDX-License-Identifier: Apache-2.0 */
/* Which names clients may call us by. A page of somebody else's that a browser shows can point a
 * name of its own at this machine (DNS rebinding) or send requests across; neither knows our
 * names. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Whether a Host header names this machine: localhost, 127.0.0.1, [::1], one of `own` (addresses
 * that we listen on) or of `more` (the owner's list), with any port. */
gboolean hf_http_host_is_ours(const char *host, char *const *own, const json_t *more);
/* The same of an Origin header: http or https, our host, nothing else. */
gboolean hf_http_origin_is_ours(const char *origin, char *const *own, const json_t *more);
