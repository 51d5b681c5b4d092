/* SPDX-License-Identifier: Apache-2.0 */
/* Printable ASCII without a meaning inside $'...' stays as it is. */
#include "hand/shell/session/shell-quote.h"

void hf_shell_quote_append(GString *line, const char *text)
{
    g_string_append(line, "$'");
    for (const char *at = text; *at; at++) {
        guchar character = (guchar)*at;
        if (character == '\\' || character == '\'')
            g_string_append_printf(line, "\\%c", character);
        else if (character == '\n')
            g_string_append(line, "\\n");
        else if (character < 0x20 || character == 0x7f)
            g_string_append_printf(line, "\\%03o", character);
        else
            g_string_append_c(line, (char)character);
    }
    g_string_append_c(line, '\'');
}
