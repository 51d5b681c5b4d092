/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a few commands, where the text alone determines it: attackers hide commands in echo
 * and base64. */
#include <string.h>

#include "shared/shell-parser/shell-reader.h"

const HfScriptCommand *hf_script_previous_command(const HfScript *script,
                                                  const HfScriptCommand *command)
{
    for (guint i = script->commands->len; i-- > 0;) {
        const HfScriptCommand *other = script->commands->pdata[i];
        if (other->pipeline == command->pipeline && other->place == command->place - 1)
            return other;
    }
    return NULL;
}

static gboolean has_only_flags(const char *text, const char *letters)
{
    return text[0] == '-' && text[1] && strspn(text + 1, letters) == strlen(text + 1);
}

/* Backslash escapes as echo -e and printf read them. */
static char *unescape_echo(const char *text)
{
    g_autofree char *escaped = g_strdup(text);
    GString *plain = g_string_new(NULL);
    for (const char *at = escaped; *at; at++) {
        if (at[0] != '\\' || !at[1]) {
            g_string_append_c(plain, *at);
            continue;
        }
        char *end = NULL;
        if (at[1] == 'x') {
            char digits[3] = {at[2], at[2] ? at[3] : 0, 0};
            g_string_append_c(plain, (char)g_ascii_strtoull(digits, &end, 16));
            at += 1 + (end - digits);
        } else if (at[1] >= '0' && at[1] <= '7') {
            char digits[5] = {0};
            memcpy(digits, at + 1, strnlen(at + 1, 4));
            gsize most = digits[0] == '0' ? 4 : 3;
            digits[most] = 0;
            g_string_append_c(plain, (char)g_ascii_strtoull(digits, &end, 8));
            at += end - digits;
        } else {
            const char *found = strchr("abefnrtv", at[1]);
            g_string_append_c(plain, found ? "\a\b\033\f\n\r\t\v"[found - strchr("abefnrtv", 'a')]
                                           : at[1]);
            at++;
        }
    }
    return g_string_free(plain, FALSE);
}

static char *join_arguments(const HfScriptCommand *command, guint first)
{
    GString *text = g_string_new(NULL);
    for (guint i = first; i < command->words->len; i++)
        g_string_append_printf(text, "%s%s", i > first ? " " : "",
                               hf_script_command_word(command, i)->text);
    return g_string_free(text, FALSE);
}

static char *echo_output(const HfScriptCommand *command)
{
    guint first = 1;
    while (first < command->words->len &&
           has_only_flags(hf_script_command_word(command, first)->text, "neE"))
        first++;
    g_autofree char *text = join_arguments(command, first);
    return unescape_echo(text);
}

/* %s and %b take the next argument; other conversions are not evaluated. */
static char *printf_output(const HfScriptCommand *command)
{
    const HfScriptWord *format = hf_script_command_word(command, 1);
    if (!format)
        return NULL;
    guint next = 2;
    g_autofree char *text = unescape_echo(format->text);
    GString *output = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        if (*at != '%') {
            g_string_append_c(output, *at);
            continue;
        }
        const HfScriptWord *argument = hf_script_command_word(command, next++);
        if (*++at == '%') {
            g_string_append_c(output, '%');
            next--;
        } else if ((*at == 's' || *at == 'b') && argument) {
            g_autofree char *plain = unescape_echo(argument->text);
            g_string_append(output, plain);
        } else {
            g_string_free(output, TRUE);
            return NULL;
        }
    }
    for (; next < command->words->len && strchr(format->text, '%'); next++)
        g_string_append(output, hf_script_command_word(command, next)->text);
    return g_string_free(output, FALSE);
}

static char *decode_base64_input(const HfScriptCommand *command)
{
    const HfScriptWord *flag = hf_script_command_word(command, 1);
    if (!command->input || !flag ||
        !(has_only_flags(flag->text, "dDi") || strcmp(flag->text, "--decode") == 0))
        return NULL;
    gsize length;
    g_autofree guchar *bytes = g_base64_decode(command->input, &length);
    return g_strndup((const char *)bytes, length);
}

gboolean hf_script_is_lookup(const HfScriptCommand *command)
{
    static const char *const names[] = {"which", "whereis", "type", "command", NULL};
    return g_strv_contains(names, command->name) && command->words->len > 1;
}

char *hf_script_command_output(const HfScriptCommand *command)
{
    if (command->facts & (HF_COMMAND_UNDECIDED | HF_COMMAND_MORE))
        return NULL;
    for (guint i = 0; i < command->words->len; i++)
        if (!hf_script_command_word(command, i)->decided)
            return NULL;
    if (strcmp(command->name, "echo") == 0)
        return echo_output(command);
    if (hf_script_is_lookup(command))
        return g_strdup(hf_script_command_word(command, command->words->len - 1)->text);
    if (strcmp(command->name, "printf") == 0)
        return printf_output(command);
    if (strcmp(command->name, "cat") == 0 || strcmp(command->name, "tee") == 0)
        return command->words->len == 1 ? g_strdup(command->input) : NULL;
    if (strcmp(command->name, "rev") == 0 && command->input)
        return g_utf8_validate(command->input, -1, NULL) ? g_utf8_strreverse(command->input, -1)
                                                         : NULL;
    return strcmp(command->name, "base64") == 0 ? decode_base64_input(command) : NULL;
}
