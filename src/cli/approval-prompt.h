/* SPDX-License-Identifier: Apache-2.0 */
/* A question to the owner, in words: on a terminal it is asked right there, elsewhere it is said
 * that it waits and how it is answered. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* What will be done, for a person: on standard error (`to_error`) or standard output. */
void hf_print_approval(const json_t *approval, gboolean to_error);

/* For a call of this process that waits. Ends when it was answered, or when the desk has something
 * new to say on `fd`. */
void hf_approval_prompt(const json_t *approval, int fd);
