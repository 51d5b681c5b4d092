/* SPDX-License-Identifier: Apache-2.0 */
/* One request to the desk, for commands that only print the answer. */
#pragma once

#include <jansson.h>

/* Prints the error if there is one. The result (owned), or NULL and the exit status. */
json_t *hf_cli_simple_request(const char *method, json_t *take_params, int *ret_status);
