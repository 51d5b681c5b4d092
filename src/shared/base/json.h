/* SPDX-License-Identifier: Apache-2.0 */
/* Small conveniences over jansson: automatic release, and reads with a default. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/base/geometry.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(json_t, json_decref)

/* Members of an object, with what to return when absent or of another type. 5.0 is an integer. */
const char *hf_json_string(const json_t *object, const char *key, const char *fallback);
json_int_t hf_json_int(const json_t *object, const char *key, json_int_t fallback);
double hf_json_number(const json_t *object, const char *key, double fallback);
gboolean hf_json_bool(const json_t *object, const char *key, gboolean fallback);

/* Of a request that cannot be read: whose reply it is nevertheless. Its member "id", a text or a
 * whole number; NULL: there is none, more than one, or nothing can be read at all. Owned. */
json_t *hf_json_dup_request_id(const char *text, gsize length);
/* What is wrong with it, in our words where jansson's would lead nobody anywhere. Owned. */
char *hf_json_dup_parse_error(const json_error_t *fault);

/* A JSON string of any bytes: what is not valid UTF-8 is replaced by U+FFFD. */
json_t *hf_json_text(const char *text);
json_t *hf_json_text_n(const char *text, gsize length);

json_t *hf_json_rect(HfRect rect);
json_t *hf_json_point(HfPoint point);

/* Compact text of a value; free with g_free. */
char *hf_json_dump(const json_t *json);
/* The same at the end of `text`, as answers are written: numbers with six digits. */
void hf_json_append(GString *text, const json_t *json);
