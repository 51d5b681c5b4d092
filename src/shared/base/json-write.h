/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values as text. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* In jansson's compact form; `digits` of numbers that are not whole (0: all 17). NULL writes
 * nothing. */
void hf_json_write(GString *out, const json_t *json, int digits);
