/* SPDX-License-Identifier: Apache-2.0 */
/* An ordinary application is a file of the system's that one of its .desktop files starts, and that
 * is not in the table of data/command-programs.json. Everything else counts as a command: a program
 * without such a file does what its arguments say (cp, kill), and a file that is not the system's
 * can be a copy of a shell. */
#include "desk/guard/policy/command-programs.h"

#include <string.h>

#include "shared/base/data.h"
#include "shared/base/json.h"

typedef enum CommandList {
    LIST_PROGRAMS,
    LIST_BROWSERS,
    LIST_ARGUMENTS,
    LIST_SWITCHES,
    LIST_COUNT,
} CommandList;

static GPtrArray *parse_command_list(const json_t *table, const char *name)
{
    GPtrArray *patterns = g_ptr_array_new();
    hf_json_each (pattern, json_object_get(table, name))
        g_ptr_array_add(patterns, g_pattern_spec_new(json_string_value(pattern)));
    return patterns;
}

static const GPtrArray *get_command_list(CommandList list)
{
    static GPtrArray *lists[LIST_COUNT];
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        g_autoptr(json_t) table = json_loads(hf_data_find("command-programs.json"), 0, NULL);
        lists[LIST_PROGRAMS] = parse_command_list(table, "programs");
        lists[LIST_BROWSERS] = parse_command_list(table, "browsers");
        lists[LIST_ARGUMENTS] = parse_command_list(table, "arguments");
        lists[LIST_SWITCHES] = parse_command_list(table, "switches");
        g_once_init_leave(&ready, 1);
    }
    return lists[list];
}

static gboolean is_listed_command(CommandList list, const char *text)
{
    const GPtrArray *patterns = get_command_list(list);
    for (guint i = 0; i < patterns->len; i++)
        if (g_pattern_spec_match_string(patterns->pdata[i], text))
            return TRUE;
    return FALSE;
}

/* python3.11 is python, gcc-12 is gcc. */
static gboolean is_listed_program(CommandList list, const char *name)
{
    g_autofree char *plain = g_strdup(name);
    gsize length = strlen(plain);
    while (length > 1 && strchr("0123456789.-", plain[length - 1]))
        plain[--length] = '\0';
    return is_listed_command(list, name) || is_listed_command(list, plain);
}

static gboolean has_listed_name(const json_t *program, CommandList list)
{
    hf_json_each (name, json_object_get(program, "names"))
        if (is_listed_program(list, json_string_value(name)))
            return TRUE;
    return FALSE;
}

gboolean hf_command_program_is_browser(const json_t *program)
{
    return hf_json_bool(program, "chromium", FALSE) || has_listed_name(program, LIST_BROWSERS);
}

/* Switches make applications load modules, run scripts and write files, each in its own way. */
static gboolean has_commanding_argument(const json_t *program)
{
    hf_json_each (argument, json_object_get(program, "arguments")) {
        const char *text = json_string_value(argument);
        if ((text[0] == '-' && !is_listed_command(LIST_SWITCHES, text)) ||
            is_listed_command(LIST_ARGUMENTS, text))
            return TRUE;
    }
    return FALSE;
}

const char *hf_command_program_reason(const json_t *program)
{
    if (hf_json_string(program, "interpreter", NULL))
        return "it is a script";
    if (!hf_json_bool(program, "system", FALSE))
        return "it is not a program of the system";
    if (has_listed_name(program, LIST_PROGRAMS))
        return "it is a program that runs what it is told";
    if (!hf_json_bool(program, "application", FALSE))
        return "it is a command, not an installed application";
    return has_commanding_argument(program) ? "its arguments tell it what to run" : NULL;
}
