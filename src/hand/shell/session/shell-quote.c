/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is printable ASCII and has no meaning between these quotes stays as it is. */
#include "hand/shell/session/shell-quote.h"

void hf_shell_quote_append(GString *line, const char *text)
{
    g_string_append(line, "$'");
    for (const char *at = text; *at; at++) {
        guchar letter = (guchar)*at;
        if (letter == '\\' || letter == '\'')
            g_string_append_printf(line, "\\%c", letter);
        else if (letter == '\n')
            g_string_append(line, "\\n");
        else if (letter < 0x20 || letter == 0x7f)
            g_string_append_printf(line, "\\%03o", letter);
        else
            g_string_append_c(line, (char)letter);
    }
    g_string_append_c(line, '\'');
}
