/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a command, parsed by its usage. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfCommandArguments HfCommandArguments;

/* `--flag value`, `--flag=value`, `-o value`, `--` before words that are not flags. NULL with
 * INVALID_PARAMS that says what was probably meant, or what is missing. Values must be UTF-8. */
HfCommandArguments *hf_command_arguments_new(const char *command, int argc, char **argv,
                                             GError **error);
void hf_command_arguments_free(HfCommandArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandArguments, hf_command_arguments_free)

/* Whether this literal ("list") is the form's first word, or was given. */
gboolean hf_command_arguments_is(const HfCommandArguments *arguments, const char *literal);
/* The value for this name ("NAME"); NULL: not given. */
const char *hf_command_arguments_value(const HfCommandArguments *arguments, const char *name);
/* The positional word number `index`; NULL: there are fewer. */
const char *hf_command_arguments_positional(const HfCommandArguments *arguments, guint index);
/* Whether the flag was given (without its hyphens), its last value, and all its values (borrowed,
 * NULL-terminated, never NULL). */
gboolean hf_command_arguments_has(const HfCommandArguments *arguments, const char *flag);
const char *hf_command_arguments_get(const HfCommandArguments *arguments, const char *flag);
char **hf_command_arguments_all(const HfCommandArguments *arguments, const char *flag);
/* INVALID_PARAMS when it is not a whole number; without the flag `ret` keeps its value. */
gboolean hf_command_arguments_int(const HfCommandArguments *arguments, const char *flag,
                                  gint64 *ret, GError **error);

/* Adds the flag's last value to the object, if it was given. */
void hf_command_arguments_add_text(const HfCommandArguments *arguments, const char *flag,
                                   json_t *object, const char *member);
