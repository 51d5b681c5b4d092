/* SPDX-License-Identifier: Apache-2.0 */
/* Sends one request to the desk over the bridge. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Connects to the bridge; -1 with DESKTOP_HOST_NOT_RUNNING. `limit_ms` 0: waits while it is full.
 */
int hf_cli_connect(int limit_ms, GError **error);
/* Waits until the desk has sent something on a new connection. FALSE with DESKTOP_TIMEOUT when it
 * does not within a few seconds. */
gboolean hf_cli_wait_for_desk(int fd, GError **error);
/* The answer {ok, result | error}; NULL with DESKTOP_HOST_NOT_RUNNING when no desk runs, with
 * DESKTOP_TIMEOUT (OUTCOME_UNKNOWN for a call) when it gives no sign of life for a few seconds, or
 * with another error when the connection broke. */
json_t *hf_cli_request(const char *method, json_t *take_params, GError **error);
/* The same for the desk with this bridge. */
json_t *hf_cli_request_at(const char *path, const char *method, json_t *take_params,
                          GError **error);

/* The same for a call that may wait for the owner: `waiting` gets the approval and may block; it
 * should return when `fd` becomes readable, because then the desk has news. */
typedef void (*HfCliWaiting)(const json_t *approval, int fd);
json_t *hf_cli_request_waiting(const char *method, json_t *take_params, HfCliWaiting waiting,
                               GError **error);

/* Prints an error that occurred before any answer; returns the exit status. */
int hf_cli_report_failure(const GError *error);
/* For commands that only print the answer: prints the error if there is one. The result (owned), or
 * NULL and the exit status. */
json_t *hf_cli_simple_request(const char *method, json_t *take_params, int *ret_status);
/* The same, and prints the sentence, or the result with --json. Consumes both. */
int hf_cli_request_and_print(const char *method, json_t *take_params, char *take_sentence);
