/* SPDX-License-Identifier: Apache-2.0 */
/* The results of the bridge methods. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* The JSON Schema of `result`; NULL: unknown method. Of all methods: {name: schema}. */
json_t *hf_method_result_schema(const char *method);
json_t *hf_method_results_describe(void);
/* For tests: aborts when an answer does not match its description. */
void hf_method_result_assert(const char *method, const char *answer, gsize length);
