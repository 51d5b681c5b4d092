/* SPDX-License-Identifier: Apache-2.0 */
/* What a person sees on a terminal. Colours only where it is one. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* An object as aligned lines; arrays of objects in it as tables below. */
void hf_print_object(const json_t *object);
/* Rows of objects with these columns, ended by NULL. */
void hf_print_table(const json_t *rows, const char *const *columns);
/* For --json: from now on an error is {"ok": false, "error": {...}} on standard output, so that
 * there is exactly one JSON document whatever happens, and hf_print_result shows the object. */
void hf_print_set_json(void);
gboolean hf_print_is_json(void);
/* What a command has done: a sentence for a person, or the object. */
void hf_print_result(const json_t *object, const char *sentence);
/* An error {code, message, suggestion, details} on standard error. */
void hf_print_error(const json_t *error);
void hf_print_gerror(const GError *error);
void hf_print_json(const json_t *json);
/* A line in a colour ("": none), ended by as much of `rest` as the terminal has room for (all of
 * it elsewhere). */
void hf_print_cut_line(const char *colour, const char *line, const char *rest);
/* How many columns of a terminal a text takes. */
int hf_print_columns_of(const char *text);
/* Emphasis: a title, and text of less weight. */
void hf_print_title(const char *text);
