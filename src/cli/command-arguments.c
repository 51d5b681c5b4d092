/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the flags first, wherever they stand; the remaining words choose the form of the usage.
 * Every error names the word and, where one is near, the word that was probably meant. */
#include "cli/command-arguments.h"

#include <string.h>

#include "cli/closest-name.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/usage.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

struct HfCommandArguments {
    const char *command;
    GPtrArray *forms;
    const HfUsageForm *form; /* the one that matches */
    GPtrArray *positional;   /* words that are not flags, borrowed */
    GHashTable *flags;       /* name → GPtrArray of values, borrowed, NULL-terminated */
    GHashTable *values;      /* name → value, borrowed */
};

void hf_command_arguments_free(HfCommandArguments *arguments)
{
    if (!arguments)
        return;
    g_ptr_array_unref(arguments->forms);
    g_ptr_array_unref(arguments->positional);
    g_hash_table_unref(arguments->flags);
    g_hash_table_unref(arguments->values);
    g_free(arguments);
}

/* Sets an error of the usage; `meant` (may be NULL) is what the caller probably meant. */
static gboolean fail_usage(const HfCommandArguments *arguments, const char *meant, GError **error,
                           const char *format, ...) G_GNUC_PRINTF(4, 5);

static gboolean fail_usage(const HfCommandArguments *arguments, const char *meant, GError **error,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s", message);
    if (meant)
        hf_error_suggest(error, _("did you mean '%s'? see: handfast help %s"), meant,
                         arguments->command);
    else
        hf_error_suggest(error, _("see: handfast help %s"), arguments->command);
    return FALSE;
}

static const HfUsageWord *find_form_flag(const HfUsageForm *form, const char *name)
{
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        if (word->kind == HF_USAGE_FLAG && strcmp(word->name, name) == 0)
            return word;
    }
    return NULL;
}

/* Searches all forms, because the form is known only later. */
static const HfUsageWord *find_any_flag(const HfCommandArguments *arguments, const char *name)
{
    for (guint i = 0; i < arguments->forms->len; i++) {
        const HfUsageWord *word = find_form_flag(arguments->forms->pdata[i], name);
        if (word)
            return word;
    }
    return NULL;
}

static gboolean fail_unknown_flag(const HfCommandArguments *arguments, const char *given,
                                  GError **error)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (guint i = 0; i < arguments->forms->len; i++) {
        const HfUsageForm *form = arguments->forms->pdata[i];
        for (guint j = 0; j < form->words->len; j++) {
            const HfUsageWord *word = form->words->pdata[j];
            if (word->kind == HF_USAGE_FLAG)
                g_ptr_array_add(known, word->name);
        }
    }
    g_autofree char *name = g_strndup(given, strcspn(given, "="));
    const char *closest = hf_closest_name(name + strspn(name, "-"), known);
    g_autofree char *meant = closest ? g_strconcat("--", closest, NULL) : NULL;
    return fail_usage(arguments, meant, error, _("%s has no flag '%s'"), arguments->command, name);
}

/* `what` names the value in an error. */
static gboolean check_choice(const HfCommandArguments *arguments, const char *what,
                             const char *allowed, const char *value, GError **error)
{
    g_auto(GStrv) choices = hf_usage_dup_choices(allowed);
    if (!choices || g_strv_contains((const char *const *)choices, value))
        return TRUE;
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (char **choice = choices; *choice; choice++)
        g_ptr_array_add(known, *choice);
    const char *meant = hf_closest_name(value, known);
    if (what == allowed)
        return fail_usage(arguments, meant, error, _("expected %s, not '%s'"), allowed, value);
    return fail_usage(arguments, meant, error, _("--%s expects %s, not '%s'"), what, allowed,
                      value);
}

static void add_flag_value(HfCommandArguments *arguments, const char *name, const char *value)
{
    GPtrArray *list = g_hash_table_lookup(arguments->flags, name);
    if (!list) {
        list = g_ptr_array_new();
        g_ptr_array_add(list, NULL);
        g_hash_table_insert(arguments->flags, g_strdup(name), list);
    }
    g_ptr_array_insert(list, (int)list->len - 1, (gpointer)value);
}

/* Looked for before anything else, so that errors are JSON too. */
static gboolean is_marker(const HfUsageWord *flag)
{
    return strcmp(flag->name, "json") == 0;
}

/* A boolean flag: alone it means yes, or yes or no follows. The last one counts. */
static int take_switch(HfCommandArguments *arguments, const char *name, const char *given,
                       const char *next, GError **error)
{
    static const char *const answers[] = {"true", "false", NULL};
    gboolean follows = !given && next && g_strv_contains(answers, next);
    const char *value = given ? given : follows ? next : answers[0];
    if (!check_choice(arguments, name, "true|false", value, error))
        return -1;
    g_hash_table_remove(arguments->flags, name);
    if (strcmp(value, answers[0]) == 0)
        add_flag_value(arguments, name, "");
    return follows ? 1 : 0;
}

/* Parses a flag, with its hyphens. Returns how many further words it used, or -1. */
static int take_command_flag(HfCommandArguments *arguments, const char *word, const char *next,
                             GError **error)
{
    const char *text = word + strspn(word, "-"), *equals = strchr(text, '=');
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
    if (strcmp(name, "output") == 0)
        strcpy(name, "o");
    const HfUsageWord *flag = find_any_flag(arguments, name);
    const char *given = equals ? equals + 1 : NULL, *value = given ? given : next;
    if (!flag)
        return fail_unknown_flag(arguments, word, error) - 1;
    if (!flag->value && (!is_marker(flag) || !given))
        return take_switch(arguments, flag->name, given, is_marker(flag) ? NULL : next, error);
    if (!flag->value)
        return fail_usage(arguments, NULL, error, _("--%s takes no value"), name) - 1;
    if (!value)
        return fail_usage(arguments, NULL, error, _("--%s needs a value: %s"), name, flag->value) -
               1;
    if (!check_choice(arguments, flag->name, flag->value, value, error))
        return -1;
    add_flag_value(arguments, flag->name, value);
    return given ? 0 : 1;
}

static gboolean sort_words(HfCommandArguments *arguments, int argc, char **argv, GError **error)
{
    gboolean flags = TRUE;
    for (int i = 0; i < argc; i++) {
        if (!g_utf8_validate(argv[i], -1, NULL))
            return fail_usage(arguments, NULL, error, _("argument %d is not valid UTF-8"), i + 1);
        if (flags && strcmp(argv[i], "--") == 0) {
            flags = FALSE;
        } else if (flags && argv[i][0] == '-' && argv[i][1]) {
            int used =
                take_command_flag(arguments, argv[i], i + 1 < argc ? argv[i + 1] : NULL, error);
            if (used < 0)
                return FALSE;
            i += used;
        } else {
            g_ptr_array_add(arguments->positional, argv[i]);
        }
    }
    return TRUE;
}

/* How many of the positional words the form takes; -1 when a literal differs, -2 when a word is
 * missing (`ret_missing`). */
static int fit_usage_form(const HfCommandArguments *arguments, const HfUsageForm *form,
                          GHashTable *values, const char **ret_missing)
{
    guint used = 0;
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        const char *given =
            used < arguments->positional->len ? arguments->positional->pdata[used] : NULL;
        if (word->kind == HF_USAGE_FLAG)
            continue;
        gboolean literal = word->kind == HF_USAGE_LITERAL;
        if (literal && given && strcmp(given, word->name) != 0 && !word->optional)
            return -1;
        if (!given && !word->optional) {
            *ret_missing = word->name;
            return literal ? -1 : -2;
        }
        if (!given || (literal && strcmp(given, word->name) != 0))
            continue;
        g_hash_table_insert(values, word->name, (gpointer)given);
        used++;
    }
    return (int)used;
}

/* No form begins with this word. */
static gboolean refuse_verb(const HfCommandArguments *arguments, GError **error)
{
    g_autoptr(GPtrArray) verbs = g_ptr_array_new();
    for (guint i = 0; i < arguments->forms->len; i++) {
        const HfUsageForm *form = arguments->forms->pdata[i];
        const HfUsageWord *first = form->words->len ? form->words->pdata[0] : NULL;
        if (first && first->kind == HF_USAGE_LITERAL)
            g_ptr_array_add(verbs, first->name);
    }
    const char *given = arguments->positional->len ? arguments->positional->pdata[0] : NULL;
    if (given)
        return fail_usage(arguments, hf_closest_name(given, verbs), error, _("%s has no '%s'"),
                          arguments->command, given);
    g_ptr_array_add(verbs, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)verbs->pdata);
    return fail_usage(arguments, NULL, error, _("%s needs one of: %s"), arguments->command, list);
}

/* Whether the form accepts all given flags and has all that it needs. */
static gboolean check_flags(const HfCommandArguments *arguments, const HfUsageForm *form,
                            GError **error)
{
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init(&iter, arguments->flags);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        if (!find_form_flag(form, name))
            return fail_usage(arguments, NULL, error,
                              _("--%s cannot be used with this form of the command"), (char *)name);
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        if (word->kind == HF_USAGE_FLAG && !word->optional &&
            !hf_command_arguments_has(arguments, word->name))
            return fail_usage(arguments, NULL, error, _("--%s is missing"), word->name);
    }
    return TRUE;
}

/* Checks values that must be one of several words. */
static gboolean check_values(const HfCommandArguments *arguments, GError **error)
{
    for (guint i = 0; i < arguments->form->words->len; i++) {
        const HfUsageWord *word = arguments->form->words->pdata[i];
        const char *given = hf_command_arguments_value(arguments, word->name);
        if (word->kind == HF_USAGE_VALUE && given &&
            !check_choice(arguments, word->name, word->name, given, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean choose_form(HfCommandArguments *arguments, GError **error)
{
    const char *missing = NULL;
    const HfUsageForm *nearly = NULL; /* except for its flags */
    gboolean too_many = FALSE;
    for (guint i = 0; i < arguments->forms->len && !arguments->form; i++) {
        const HfUsageForm *form = arguments->forms->pdata[i];
        g_hash_table_remove_all(arguments->values);
        int used = fit_usage_form(arguments, form, arguments->values, &missing);
        if (used == -2)
            return fail_usage(arguments, NULL, error, _("%s is missing"), missing);
        if (used == (int)arguments->positional->len && check_flags(arguments, form, NULL))
            arguments->form = form;
        else if (used == (int)arguments->positional->len && !nearly)
            nearly = form;
        too_many |= used > 0 && used < (int)arguments->positional->len;
    }
    if (arguments->form)
        return check_values(arguments, error);
    if (nearly)
        return check_flags(arguments, nearly, error);
    if (!too_many)
        return refuse_verb(arguments, error);
    const char *last = arguments->positional->pdata[arguments->positional->len - 1];
    return fail_usage(arguments, NULL, error, _("unexpected argument '%s'"), last);
}

HfCommandArguments *hf_command_arguments_new(const char *command, int argc, char **argv,
                                             GError **error)
{
    const HfCommand *entry = hf_command_find(command);
    g_autoptr(HfCommandArguments) arguments = g_new0(HfCommandArguments, 1);
    arguments->command = command;
    arguments->forms = hf_usage_new(entry ? entry->usage : "");
    arguments->positional = g_ptr_array_new();
    arguments->flags =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    arguments->values = g_hash_table_new(g_str_hash, g_str_equal);
    return sort_words(arguments, argc, argv, error) && choose_form(arguments, error)
               ? g_steal_pointer(&arguments)
               : NULL;
}

gboolean hf_command_arguments_is(const HfCommandArguments *arguments, const char *literal)
{
    return g_hash_table_contains(arguments->values, literal);
}

const char *hf_command_arguments_value(const HfCommandArguments *arguments, const char *name)
{
    return g_hash_table_lookup(arguments->values, name);
}

const char *hf_command_arguments_positional(const HfCommandArguments *arguments, guint index)
{
    return index < arguments->positional->len ? arguments->positional->pdata[index] : NULL;
}

gboolean hf_command_arguments_has(const HfCommandArguments *arguments, const char *flag)
{
    return g_hash_table_contains(arguments->flags, flag);
}

char **hf_command_arguments_all(const HfCommandArguments *arguments, const char *flag)
{
    static char *none[] = {NULL};
    GPtrArray *list = g_hash_table_lookup(arguments->flags, flag);
    return list ? (char **)list->pdata : none;
}

const char *hf_command_arguments_get(const HfCommandArguments *arguments, const char *flag)
{
    char **all = hf_command_arguments_all(arguments, flag);
    guint count = g_strv_length(all);
    return count ? all[count - 1] : NULL;
}

gboolean hf_command_arguments_int(const HfCommandArguments *arguments, const char *flag,
                                  gint64 *ret, GError **error)
{
    const char *word = hf_command_arguments_get(arguments, flag);
    char *end;
    gint64 value = word ? g_ascii_strtoll(word, &end, 10) : 0;
    if (word && (end == word || *end != '\0'))
        return fail_usage(arguments, NULL, error, _("--%s expects a whole number, not '%s'"), flag,
                          word);
    if (word)
        *ret = value;
    return TRUE;
}

void hf_command_arguments_add_text(const HfCommandArguments *arguments, const char *flag,
                                   json_t *object, const char *member)
{
    const char *text = hf_command_arguments_get(arguments, flag);
    if (text)
        json_object_set_new(object, member, hf_json_text(text));
}
