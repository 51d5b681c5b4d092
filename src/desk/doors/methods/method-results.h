/* SPDX-License-Identifier: Apache-2.0 */
/* What the bridge's methods answer with. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The JSON Schema of `result`; NULL: there is no such method. Of all: {name: schema}. */
json_t *hf_method_result_schema(const char *method);
json_t *hf_method_results_describe(void);
/* For test runs: ends the program when an answer is not as described. */
void hf_method_result_assert(const char *method, const char *answer, gsize length);
