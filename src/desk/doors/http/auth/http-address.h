/* SPDX-License-Identifier: Apache-2.0 */
/* Where to listen, and which addresses may connect. */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

/* The addresses that `listen` means: itself, or those of the interface of that name. Of
 * GInetAddress; NULL with INVALID_PARAMS or PRECONDITION_FAILED. */
GPtrArray *hf_http_addresses(const char *listen, GError **error);

/* A list of addresses and networks. */
typedef struct HfHttpAllow HfHttpAllow;

/* From an array of texts; one that is neither is left out, and named in `ret_wrong` (owned; NULL:
 * none was). */
HfHttpAllow *hf_http_allow_new(const json_t *list, char **ret_wrong);
void hf_http_allow_free(HfHttpAllow *allow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpAllow, hf_http_allow_free)

gboolean hf_http_allow_has(const HfHttpAllow *allow, GInetAddress *address);
/* The address as text; an IPv4 address that came through an IPv6 socket as IPv4. */
char *hf_http_address_dup_text(GInetAddress *address);
