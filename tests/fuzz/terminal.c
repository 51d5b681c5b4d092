/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal that is written anything, resized in between: the cursor stays on the screen, the text
 * is valid and no wider or higher than it, and what is kept is bounded. */
#include <stdint.h>
#include <string.h>

#include "hand/shell/shell-limits.h"
#include "hand/shell/terminal/terminal-screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const HfTerminalScreen *screen)
{
    g_autoptr(json_t) told = hf_terminal_screen_describe(screen);
    g_autofree char *text = hf_terminal_screen_dup_text(screen);
    json_int_t rows = hf_json_int(told, "rows", 0), columns = hf_json_int(told, "columns", 0);
    const json_t *cursor = json_object_get(told, "cursor");
    g_assert_cmpint(hf_json_int(cursor, "row", 0), >=, 1);
    g_assert_cmpint(hf_json_int(cursor, "row", 0), <=, rows);
    g_assert_cmpint(hf_json_int(cursor, "column", 0), >=, 1);
    g_assert_cmpint(hf_json_int(cursor, "column", 0), <=, columns);
    g_assert_true(g_utf8_validate(text, -1, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), <=, (guint)rows);
    for (char **line = lines; *line; line++)
        g_assert_cmpint(g_utf8_strlen(*line, -1), <=, columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(HfTerminalScreen) screen = hf_terminal_screen_new(5, 12);
    g_autoptr(GString) replies = g_string_new(NULL);
    for (size_t at = 0; at < size; at += 64) {
        const char *piece = (const char *)data + at;
        size_t length = MIN(64, size - at);
        hf_terminal_screen_begin_new(screen, piece,
                                     data[at] % (length + 1)); /* as if it was typed */
        hf_terminal_screen_feed(screen, piece, length, replies);
        g_autofree char *wanted = g_strndup(piece, length / 2);
        g_assert_true(!hf_terminal_screen_shows(screen, wanted, TRUE) ||
                      hf_terminal_screen_shows(screen, wanted, FALSE));
        check(screen);
        hf_terminal_screen_resize(screen, 2 + data[at] % 9, 2 + data[at] / 9 % 20);
        check(screen);
    }
    g_assert_cmpuint(replies->len, <=, HF_LIMIT_TERMINAL_TEXT + 64);
    g_autofree char *former = hf_terminal_screen_dup_former(screen, HF_LIMIT_TERMINAL_LINES);
    g_assert_true(g_utf8_validate(former, -1, NULL));
    return 0;
}
