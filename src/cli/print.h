/* SPDX-License-Identifier: Apache-2.0 */
/* Output for people. Uses colours only on a terminal. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* An object as aligned lines, with its arrays of objects as tables below. */
void hf_print_object(const json_t *object);
/* Rows of objects with these columns, NULL-terminated. */
void hf_print_table(const json_t *rows, const char *const *columns);
/* For --json. From now on an error is {"ok": false, "error": {...}} on standard output, so that
 * there is exactly one JSON document in any case, and hf_print_result prints the object. */
void hf_print_set_json(void);
gboolean hf_print_is_json(void);
/* The result of a command: a sentence for a person, or the object. */
void hf_print_result(const json_t *object, const char *sentence);
/* An error {code, message, suggestion, details} on standard error. */
void hf_print_error(const json_t *error);
void hf_print_gerror(const GError *error);
void hf_print_json(const json_t *json);
/* A line in a colour ("": none), followed by as much of `rest` as fits on the terminal (elsewhere
 * all of it). */
void hf_print_cut_line(const char *colour, const char *line, const char *rest);
/* The columns that a text takes on a terminal. */
int hf_print_columns_of(const char *text);
/* A heading. */
void hf_print_title(const char *text);
