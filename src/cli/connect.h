/* The command line's way to the desk: one request over the bridge. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The bridge's socket; -1 with DESKTOP_HOST_NOT_RUNNING. `limit_ms` 0: waits while it is full. */
int hf_cli_connect(int limit_ms, GError **error);
/* Asks the desk; the answer {ok, result | error}, or NULL with DESKTOP_HOST_NOT_RUNNING when there
 * is no desk, or another error when it broke off. Consumes the parameters. */
json_t *hf_cli_request(const char *method, json_t *take_params, GError **error);
