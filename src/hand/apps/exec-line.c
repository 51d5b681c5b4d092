/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the Desktop Entry Specification 1.5, and is as lenient as GLib where real files break it:
 * single quotes, quotes within an argument and unknown field codes are accepted. */
#include "hand/apps/exec-line.h"

#include <string.h>

#include "shared/base/error.h"

typedef struct Parser {
    const HfExecFields *fields;
    const char *at;
    GPtrArray *arguments;
    GString *current;
    gboolean quoted;   /* an empty argument counts only if it was quoted */
    guint given_count; /* how many of the caller's arguments are in place */
} Parser;

static void finish_argument(Parser *parser)
{
    if (parser->current->len > 0 || parser->quoted)
        g_ptr_array_add(parser->arguments, g_strdup(parser->current->str));
    g_string_truncate(parser->current, 0);
    parser->quoted = FALSE;
}

static gboolean is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

/* `at` is on the opening quote. Within double quotes a backslash keeps " ` $ and \ as they are. */
static gboolean read_exec_quoted(Parser *parser, GError **error)
{
    char quote = *parser->at++;
    parser->quoted = TRUE;
    for (; *parser->at && *parser->at != quote; parser->at++) {
        if (quote == '"' && *parser->at == '\\' && parser->at[1] && strchr("\"`$\\", parser->at[1]))
            parser->at++;
        g_string_append_c(parser->current, *parser->at);
    }
    if (!*parser->at)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the Exec line of the application has an unclosed quote");
    parser->at++;
    return TRUE;
}

static void add_given(Parser *parser, guint limit)
{
    const char *const *given = parser->fields->arguments;
    guint count = given ? g_strv_length((char **)given) : 0;
    for (; parser->given_count < MIN(count, limit); parser->given_count++)
        g_ptr_array_add(parser->arguments, g_strdup(given[parser->given_count]));
}

/* Files and URLs: all of them when the code stands alone, the first one within "--file=%f". */
static void expand_given(Parser *parser)
{
    gboolean alone =
        parser->current->len == 0 && !parser->quoted && (!*parser->at || is_space(*parser->at));
    const char *const *given = parser->fields->arguments;
    if (alone)
        add_given(parser, G_MAXUINT);
    else if (given && given[parser->given_count])
        g_string_append(parser->current, given[parser->given_count++]);
}

/* `at` is on the percent sign. */
static void expand_code(Parser *parser)
{
    char code = parser->at[1];
    parser->at += code ? 2 : 1;
    switch (code) {
    case '%':
        g_string_append_c(parser->current, '%');
        break;
    case 'f':
    case 'F':
    case 'u':
    case 'U':
        expand_given(parser);
        break;
    case 'i':
        if (parser->fields->icon) {
            g_ptr_array_add(parser->arguments, g_strdup("--icon"));
            g_string_append(parser->current, parser->fields->icon);
        }
        break;
    case 'c':
        g_string_append(parser->current, parser->fields->name ? parser->fields->name : "");
        break;
    case 'k':
        g_string_append(parser->current, parser->fields->file ? parser->fields->file : "");
        break;
    default: /* deprecated or unknown: expands to nothing */
        break;
    }
}

static gboolean parse_exec_line(Parser *parser, GError **error)
{
    while (*parser->at) {
        if (is_space(*parser->at)) {
            finish_argument(parser);
            parser->at++;
        } else if (*parser->at == '"' || *parser->at == '\'') {
            if (!read_exec_quoted(parser, error))
                return FALSE;
        } else if (*parser->at == '%') {
            expand_code(parser);
        } else {
            if (*parser->at == '\\' && parser->at[1])
                parser->at++;
            g_string_append_c(parser->current, *parser->at++);
        }
    }
    finish_argument(parser);
    return TRUE;
}

char **hf_exec_parse(const char *line, const HfExecFields *fields, GError **error)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) current = g_string_new(NULL);
    Parser parser = {.fields = fields, .at = line, .arguments = arguments, .current = current};
    if (!parse_exec_line(&parser, error))
        return NULL;
    if (arguments->len == 0) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "the Exec line of the application is empty");
        return NULL;
    }
    add_given(&parser, G_MAXUINT);
    g_ptr_array_add(arguments, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&arguments), FALSE);
}
