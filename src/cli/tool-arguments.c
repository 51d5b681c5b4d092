/* SPDX-License-Identifier: Apache-2.0 */
/* Turns words into parameters. It only decides types; the guard judges the values, as for every
 * other caller. */
#include "cli/tool-arguments.h"

#include <string.h>

#include "cli/closest-name.h"
#include "cli/text-input.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/tool/param-check.h"

void hf_tool_arguments_clear(HfToolArguments *args)
{
    json_decref(args->params);
    g_free(args->output);
}

/* NULL when the word is not of the type. */
static json_t *parse_param_word(const HfParam *param, const char *word)
{
    char *end;
    switch (param->type) {
    case HF_TYPE_STRING:
        return json_string(word);
    case HF_TYPE_INTEGER: {
        gint64 value = g_ascii_strtoll(word, &end, 0);
        return end != word && *end == '\0' ? json_integer(value) : NULL;
    }
    case HF_TYPE_NUMBER: {
        double value = g_ascii_strtod(word, &end);
        return end == word || *end != '\0'      ? NULL
               : value == (double)(gint64)value ? json_integer((gint64)value)
                                                : json_real(value);
    }
    case HF_TYPE_BOOLEAN:
        return strcmp(word, "true") == 0    ? json_true()
               : strcmp(word, "false") == 0 ? json_false()
                                            : NULL;
    case HF_TYPE_ARRAY:
        if (word[0] == '[')
            return json_loads(word, 0, NULL);
        return param->items ? parse_param_word(param->items, word) : NULL;
    case HF_TYPE_OBJECT:
        return json_loads(word, 0, NULL);
    case HF_TYPE_NONE:
        break;
    }
    return NULL;
}

/* Only free texts may come from a file or standard input. */
static gboolean may_be_input(const HfParam *param)
{
    return param->type == HF_TYPE_STRING && !param->choices && !param->also &&
           param->means != HF_MEANS_PATH;
}

/* Makes a path absolute here, because the desk has another working directory. */
static char *dup_word(const HfParam *param, const char *given, GError **error)
{
    if (may_be_input(param))
        return hf_cli_dup_input(given, error);
    if (param->means != HF_MEANS_PATH || !*given || *given == '/' || *given == '~')
        return g_strdup(given);
    g_autofree char *here = g_get_current_dir();
    return strcmp(given, ".") == 0 ? g_steal_pointer(&here) : g_build_filename(here, given, NULL);
}

static gboolean set_param(HfToolArguments *args, const HfParam *param, const char *given,
                          GError **error)
{
    g_autofree char *word = dup_word(param, given, error);
    if (!word) {
        g_prefix_error(error, "%s: ", param->name);
        return FALSE;
    }
    if (!g_utf8_validate(word, -1, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: the value is not valid UTF-8",
                       param->name);
    json_t *value = parse_param_word(param, word);
    if (!value && param->also)
        value = parse_param_word(param->also, word);
    if (!value)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: expected %s%s, not '%s'", param->name,
                       hf_type_name(param->type), param->type == HF_TYPE_OBJECT ? " as JSON" : "",
                       word);
    json_t *list = json_object_get(args->params, param->name);
    if (param->type == HF_TYPE_ARRAY && !json_is_array(value) && !json_is_object(value)) {
        if (!list) {
            list = json_array();
            json_object_set_new(args->params, param->name, list);
        }
        json_array_append_new(list, value);
    } else {
        json_object_set_new(args->params, param->name, value);
    }
    return TRUE;
}

static const HfParam *find_tool_param(const HfTool *tool, const char *flag)
{
    g_autofree char *name = g_strdelimit(g_strdup(flag), "-", '_');
    const HfParam *param = hf_param_find(tool->params, name);
    return param ? param : hf_param_find(hf_common_params, name);
}

static int fail_unknown_param(const HfTool *tool, const char *name, GError **error)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (const HfParam *param = tool->params; param && param->name; param++)
        g_ptr_array_add(known, (gpointer)param->name);
    for (const HfParam *param = hf_common_params; param->name; param++)
        g_ptr_array_add(known, (gpointer)param->name);
    const char *meant = hf_closest_name(name, known);
    g_autofree char *shown = g_utf8_make_valid(name, -1);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, _("%s has no parameter '%s'"), tool->name, shown);
    if (meant)
        hf_error_suggest(error, _("did you mean '--%s'? see: handfast %s --help"), meant,
                         tool->name);
    else
        hf_error_suggest(error, _("see: handfast %s --help"), tool->name);
    return -1;
}

/* Parses a flag, after its two hyphens. Returns how many further words it used, or -1. */
static int take_tool_flag(HfToolArguments *args, const HfTool *tool, const char *flag,
                          const char *next, GError **error)
{
    const char *equals = strchr(flag, '=');
    g_autofree char *name = equals ? g_strndup(flag, (gsize)(equals - flag)) : g_strdup(flag);
    const HfParam *param = find_tool_param(tool, name);
    if (!param && g_str_has_prefix(name, "no-")) {
        param = find_tool_param(tool, name + 3);
        if (param && param->type == HF_TYPE_BOOLEAN && !equals)
            return set_param(args, param, "false", error) ? 0 : -1;
        param = NULL;
    }
    if (!param)
        return fail_unknown_param(tool, name, error);
    if (equals)
        return set_param(args, param, equals + 1, error) ? 0 : -1;
    if (param->type == HF_TYPE_BOOLEAN &&
        (!next || (strcmp(next, "true") != 0 && strcmp(next, "false") != 0)))
        return set_param(args, param, "true", error) ? 0 : -1;
    if (!next) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, _("--%s needs a value"), name);
        hf_error_suggest(error, _("see: handfast %s --help"), tool->name);
        return -1;
    }
    return set_param(args, param, next, error) ? 1 : -1;
}

/* Positions are positional, even where an element could be named instead. */
static gboolean is_place(const HfParam *param)
{
    static const char *const places[] = {"x",    "y",    "from_x", "from_y",
                                         "to_x", "to_y", "region", NULL};
    return param->type != HF_TYPE_OBJECT && g_strv_contains(places, param->name);
}

/* Of the alternatives of a text parameter: the text itself, not the picture. */
static gboolean is_main_text_param(const HfParam *param)
{
    return (param->means == HF_MEANS_COPIED && strcmp(param->name, "text") == 0) ||
           (param->type == HF_TYPE_STRING && strcmp(param->name, "description") == 0);
}

static gboolean needs_no_name(const HfParam *param)
{
    return param->required || is_place(param) || is_main_text_param(param);
}

/* The action, if nothing else is positional. */
static gboolean is_verb(const HfTool *tool, const HfParam *param)
{
    if (param != tool->params || !param->choices || strcmp(param->name, "action") != 0)
        return FALSE;
    for (const HfParam *other = tool->params; other->name; other++)
        if (needs_no_name(other))
            return FALSE;
    return TRUE;
}

/* The positional values: positions if the tool has them, then the required parameters, or else the
 * action. The last one takes all remaining words if it is an array. */
const HfParam *hf_tool_arguments_find_positional(const HfTool *tool, int index)
{
    const HfParam *last = NULL;
    for (const HfParam *param = tool->params; param && param->name; param++) {
        if (!needs_no_name(param) && !is_verb(tool, param))
            continue;
        last = param;
        if (index-- == 0)
            return param;
    }
    return last && last->type == HF_TYPE_ARRAY ? last : NULL;
}

static gboolean take_unnamed(HfToolArguments *args, const HfTool *tool, int index, const char *word,
                             GError **error)
{
    const HfParam *param = hf_tool_arguments_find_positional(tool, index);
    if (param)
        return set_param(args, param, word, error);
    g_autofree char *shown = g_utf8_make_valid(word, -1);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, _("unexpected argument '%s'"), shown);
    hf_error_suggest(error, _("see: handfast %s --help"), tool->name);
    return FALSE;
}

gboolean hf_tool_arguments_parse(HfToolArguments *args, const HfTool *tool, int argc, char **argv,
                                 GError **error)
{
    int unnamed = 0;
    gboolean flags = TRUE;
    args->params = json_object();
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (flags && strcmp(word, "--") == 0) {
            flags = FALSE;
        } else if (flags && strcmp(word, "--json") == 0) {
            args->json = TRUE;
        } else if (flags && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            args->help = TRUE;
        } else if (flags && (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)) {
            if (!next)
                return hf_fail(error, HF_ERROR_INVALID_PARAMS, "-o needs a file name");
            g_free(args->output);
            args->output = g_strdup(argv[++i]);
        } else if (flags && g_str_has_prefix(word, "--")) {
            int used = take_tool_flag(args, tool, word + 2, next, error);
            if (used < 0)
                return FALSE;
            i += used;
        } else if (!take_unnamed(args, tool, unnamed++, word, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
