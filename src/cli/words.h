/* The words after a command, taken apart as its usage says. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfWords HfWords;

/* `--flag value`, `--flag=value`, `-o value`, `--` before what is no flag. NULL with INVALID_PARAMS
 * that says what was probably meant, or what is missing. Values must be UTF-8. */
HfWords *hf_words_new(const char *command, int argc, char **argv, GError **error);
void hf_words_free(HfWords *words);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWords, hf_words_free)

/* The same; shows what is wrong. */
HfWords *hf_words_take(const char *command, int argc, char **argv);

/* Whether this literal ("list") is the form's first word, or was given. */
gboolean hf_words_is(const HfWords *words, const char *literal);
/* The value that stands for this name ("NAME"); NULL: it was left out. */
const char *hf_words_value(const HfWords *words, const char *name);
/* The word number `index` of those that are no flags; NULL: there are not so many. */
const char *hf_words_plain(const HfWords *words, guint index);
/* Whether the flag was given, without its hyphens; its last value, all of them (borrowed, ended by
 * NULL; never NULL). */
gboolean hf_words_has(const HfWords *words, const char *flag);
const char *hf_words_get(const HfWords *words, const char *flag);
char **hf_words_all(const HfWords *words, const char *flag);
/* Whether it is not a whole number is INVALID_PARAMS; `ret` keeps its value without the flag. */
gboolean hf_words_int(const HfWords *words, const char *flag, gint64 *ret, GError **error);

/* Adds the flag's last value to the object, if it was given. */
void hf_words_add_text(const HfWords *words, const char *flag, json_t *object, const char *member);
