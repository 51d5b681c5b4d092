/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for jansson: automatic release, and reads with a default. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "shared/base/geometry.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(json_t, json_decref)

/* Loops over an array and declares `item`, a json_t *. A `for` declares variables of one type only,
 * so a pointer keeps the index. */
#define hf_json_each(item, array)                                                                  \
    for (json_t * item, *item##_index = NULL;                                                      \
         (item = json_array_get((array), GPOINTER_TO_SIZE(item##_index)));                         \
         item##_index = GSIZE_TO_POINTER(GPOINTER_TO_SIZE(item##_index) + 1))

/* Members of an object, with a default when absent or of another type. 5.0 is an integer. */
const char *hf_json_string(const json_t *object, const char *key, const char *fallback);
json_int_t hf_json_int(const json_t *object, const char *key, json_int_t fallback);
double hf_json_number(const json_t *object, const char *key, double fallback);
gboolean hf_json_bool(const json_t *object, const char *key, gboolean fallback);

/* The "id" of a request that cannot be parsed, so that its error can be matched to it: a text or a
 * whole number. NULL: there is none or more than one. Owned. */
json_t *hf_json_dup_request_id(const char *text, gsize length);
/* A description of a parse error, in our words where jansson's are misleading. Owned. */
char *hf_json_dup_parse_error(const json_error_t *fault);

/* A JSON string of any bytes; invalid UTF-8 is replaced by U+FFFD. */
json_t *hf_json_text(const char *text);
json_t *hf_json_text_n(const char *text, gsize length);

json_t *hf_json_rect(HfRect rect);
json_t *hf_json_point(HfPoint point);

/* Compact text of a value; free with g_free. */
char *hf_json_dump(const json_t *json);
/* Appends it to `text` as answers are written: numbers with six digits. */
void hf_json_append(GString *text, const json_t *json);
