/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses to listen on, and the addresses that may connect. */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <jansson.h>

/* The host names that clients may use for this machine. A foreign web page can point its own name
 * at this machine (DNS rebinding) or send cross-site requests; both carry a foreign name. */

/* Whether a Host header names this machine: localhost, 127.0.0.1, [::1], one of `own` (the
 * addresses that we listen on) or one of `more` (the owner's list), with any port. */
gboolean hf_http_host_is_ours(const char *host, char *const *own, const json_t *more);
/* The same for an Origin header: http or https, and one of our hosts. */
gboolean hf_http_origin_is_ours(const char *origin, char *const *own, const json_t *more);

/* The addresses that `listen` names: the address itself, or those of the interface. Of
 * GInetAddress; NULL with INVALID_PARAMS or PRECONDITION_FAILED. */
GPtrArray *hf_http_addresses(const char *listen, GError **error);

/* A list of addresses and networks. */
typedef struct HfHttpAllow HfHttpAllow;

/* From an array of texts. Invalid entries are skipped; `ret_wrong` names one of them (owned; NULL
 * when all are valid). */
HfHttpAllow *hf_http_allow_new(const json_t *list, char **ret_wrong);
void hf_http_allow_free(HfHttpAllow *allow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpAllow, hf_http_allow_free)

gboolean hf_http_allow_has(const HfHttpAllow *allow, GInetAddress *address);
/* The address as text. An IPv4 address that came through an IPv6 socket is written as IPv4. */
char *hf_http_address_dup_text(GInetAddress *address);
