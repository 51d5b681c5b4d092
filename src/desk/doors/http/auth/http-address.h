/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses to listen on, and the addresses that may connect. */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

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
