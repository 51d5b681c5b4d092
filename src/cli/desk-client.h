/* SPDX-License-Identifier: Apache-2.0 */
/* The command line's way to the desk: one request over the bridge. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The bridge's socket; -1 with DESKTOP_HOST_NOT_RUNNING. `limit_ms` 0: waits while it is full. */
int hf_cli_connect(int limit_ms, GError **error);
/* Asks the desk; the answer {ok, result | error}, or NULL with DESKTOP_HOST_NOT_RUNNING when there
 * is no desk, or another error when it broke off. Consumes the parameters. */
json_t *hf_cli_request(const char *method, json_t *take_params, GError **error);
/* The same of the desk whose bridge is there. */
json_t *hf_cli_request_at(const char *path, const char *method, json_t *take_params,
                          GError **error);

/* The same for what may wait for the owner's answer: `waiting` is told of the question, and may
 * take its time; it should end when `fd` becomes readable, since the desk has something new to say.
 */
typedef void (*HfCliWaiting)(const json_t *approval, int fd);
json_t *hf_cli_request_waiting(const char *method, json_t *take_params, HfCliWaiting waiting,
                               GError **error);
