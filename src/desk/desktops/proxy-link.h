/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's connection to the proxy of a desktop (src/proxy/). A proxy that dies is started again
 * on the same listener; meanwhile programs have no network. */
#pragma once

#include "shared/base/json.h"

typedef struct HfProxyLink HfProxyLink;

/* `lists`: {"allowed": [glob], "blocked": [glob]}, the owner's domains. */
HfProxyLink *hf_proxy_link_start(int take_listener, const json_t *lists, GError **error);
/* Ends the proxy and with it all its connections. NULL is fine. */
void hf_proxy_link_free(HfProxyLink *link);

/* Holds for connections that are open, too. */
void hf_proxy_link_set_lists(HfProxyLink *link, const json_t *lists);
/* Stopped: the proxy is killed, so that nothing more leaves, and there is none until this ends. */
void hf_proxy_link_set_stopped(HfProxyLink *link, gboolean stopped);
/* Why programs have no network now; NULL: they have. */
const char *hf_proxy_link_find_problem(HfProxyLink *link);
/* The last refusals, oldest first: [{host, port, reason}]. */
json_t *hf_proxy_link_dup_refused(HfProxyLink *link);
