/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the owner. On a terminal the question is asked right there; elsewhere it says that the call
 * waits and how to answer. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Prints what will be done, on standard error (`to_error`) or standard output. */
void hf_print_approval(const json_t *approval, gboolean to_error);

/* Whether what the owner typed is a yes. */
gboolean hf_answer_means_yes(const char *word);
/* A copy of somebody else's text without control sequences for the terminal. */
char *hf_dup_harmless_text(const char *text);

/* For a waiting call of this process. Returns when it was answered, or when `fd` becomes readable
 * because the desk has news. */
void hf_approval_prompt(const json_t *approval, int fd);
