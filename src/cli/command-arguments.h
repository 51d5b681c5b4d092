/* SPDX-License-Identifier: Apache-2.0 */
/* The words after a command, taken apart as its usage says. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfCommandArguments HfCommandArguments;

/* `--flag value`, `--flag=value`, `-o value`, `--` before what is no flag. NULL with INVALID_PARAMS
 * that says what was probably meant, or what is missing. Values must be UTF-8. */
HfCommandArguments *hf_command_arguments_new(const char *command, int argc, char **argv,
                                             GError **error);
void hf_command_arguments_free(HfCommandArguments *words);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandArguments, hf_command_arguments_free)

/* The same; shows what is wrong. */
HfCommandArguments *hf_command_arguments_parse_or_report(const char *command, int argc,
                                                         char **argv);

/* Whether this literal ("list") is the form's first word, or was given. */
gboolean hf_command_arguments_is(const HfCommandArguments *words, const char *literal);
/* The value that stands for this name ("NAME"); NULL: it was left out. */
const char *hf_command_arguments_value(const HfCommandArguments *words, const char *name);
/* The word number `index` of those that are no flags; NULL: there are not so many. */
const char *hf_command_arguments_positional(const HfCommandArguments *words, guint index);
/* Whether the flag was given, without its hyphens; its last value, all of them (borrowed, ended by
 * NULL; never NULL). */
gboolean hf_command_arguments_has(const HfCommandArguments *words, const char *flag);
const char *hf_command_arguments_get(const HfCommandArguments *words, const char *flag);
char **hf_command_arguments_all(const HfCommandArguments *words, const char *flag);
/* Whether it is not a whole number is INVALID_PARAMS; `ret` keeps its value without the flag. */
gboolean hf_command_arguments_int(const HfCommandArguments *words, const char *flag, gint64 *ret,
                                  GError **error);

/* Adds the flag's last value to the object, if it was given. */
void hf_command_arguments_add_text(const HfCommandArguments *words, const char *flag,
                                   json_t *object, const char *member);
