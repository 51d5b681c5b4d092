/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine over characters, like the VT500's: ground, after ESC, in a control sequence, in a
 * string that is skipped. Numbers are clamped when they are read, so that no request exceeds a
 * screen. */
#include "hand/shell/terminal/terminal-screen.h"

#include <string.h>

#include "hand/shell/shell-limits.h"
#include "hand/shell/terminal/terminal-cells.h"
#include "hand/shell/terminal/terminal-echo.h"
#include "hand/shell/terminal/utf8-decoder.h"

#define MAX_NUMBER 9999

typedef enum State {
    GROUND,
    ESCAPE,      /* after ESC */
    ESCAPE_SKIP, /* the next character belongs to the escape and is ignored */
    CHARSET,     /* the next character selects the character set of G0 */
    SEQUENCE,    /* after CSI */
    TITLE,       /* after OSC */
    STRING,      /* ignored up to its end */
} State;

struct HfTerminalScreen {
    HfTerminalCells cells[2]; /* the main and the alternate screen */
    int current;
    State state;
    int numbers[HF_LIMIT_TERMINAL_NUMBERS];
    int count;
    char prefix, between;  /* '?' and the like; 0: none */
    GString *title_read;   /* with its number in front */
    gboolean after_escape; /* in a string: ESC was read and may end it */
    char *title;
    gunichar last; /* for the repeat sequence */
    HfUtf8Decoder reader;
    gboolean wrap, insert, application_keys, origin, hidden_cursor;
    gboolean lines; /* G0 is the line drawing set */
    GQueue former;  /* char *: lines that have scrolled off, newest last */
    guint64 scrolled;
    HfTerminalEcho echo;
    gboolean has_new;
};

HfTerminalScreen *hf_terminal_screen_new(int rows, int columns)
{
    HfTerminalScreen *screen = g_new0(HfTerminalScreen, 1);
    for (int i = 0; i < 2; i++)
        hf_terminal_cells_init(&screen->cells[i], rows, columns);
    screen->title_read = g_string_new(NULL);
    screen->title = g_strdup("");
    screen->wrap = TRUE;
    g_queue_init(&screen->former);
    hf_terminal_echo_init(&screen->echo);
    return screen;
}

void hf_terminal_screen_free(HfTerminalScreen *screen)
{
    if (!screen)
        return;
    for (int i = 0; i < 2; i++)
        hf_terminal_cells_clear(&screen->cells[i]);
    g_string_free(screen->title_read, TRUE);
    g_free(screen->title);
    g_queue_clear_full(&screen->former, g_free);
    hf_terminal_echo_clear(&screen->echo);
    g_free(screen);
}

static HfTerminalCells *cells_of(HfTerminalScreen *screen)
{
    return &screen->cells[screen->current];
}

static void keep_former(const gunichar *row, int columns, gpointer data)
{
    HfTerminalScreen *screen = data;
    GString *text = g_string_new(NULL);
    hf_terminal_cells_append_row(text, row, columns);
    g_queue_push_tail(&screen->former, g_string_free(text, FALSE));
    screen->scrolled++;
    if (screen->former.length > HF_LIMIT_TERMINAL_LINES)
        g_free(g_queue_pop_head(&screen->former));
}

/* Lines that scroll off the alternate screen are not kept. */
static HfTerminalCellsGone gone_of(const HfTerminalScreen *screen)
{
    return screen->current == 0 ? keep_former : NULL;
}

/* ---- characters ---- */

static void put_character(HfTerminalScreen *screen, gunichar character)
{
    gboolean echoed = hf_terminal_echo_take(&screen->echo, character);
    screen->last = screen->lines ? hf_terminal_line_drawing_character(character) : character;
    screen->has_new = screen->has_new || (!echoed && character != ' ');
    cells_of(screen)->fresh = !echoed;
    hf_terminal_cells_put(cells_of(screen), screen->last, screen->wrap, screen->insert,
                          gone_of(screen), screen);
}

static void handle_control_character(HfTerminalScreen *screen, gunichar character)
{
    HfTerminalCells *cells = cells_of(screen);
    switch (character) {
    case '\b':
        hf_terminal_cells_move(cells, cells->row, cells->column - 1);
        break;
    case '\t':
        hf_terminal_cells_move(cells, cells->row, (cells->column / 8 + 1) * 8);
        break;
    case '\n':
    case '\v':
    case '\f':
        hf_terminal_echo_end_line(&screen->echo);
        hf_terminal_cells_line_feed(cells, gone_of(screen), screen);
        break;
    case '\r':
        hf_terminal_cells_move(cells, cells->row, 0);
        break;
    case 0x1b:
        screen->state = ESCAPE;
        break;
    default:
        break; /* bells and others without an effect here */
    }
}

/* ---- sequences ---- */

static int number_at(const HfTerminalScreen *screen, int index, int fallback)
{
    int number = index < screen->count ? screen->numbers[index] : 0;
    return number > 0 ? number : fallback;
}

static void erase_display(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    int last_row = cells->rows - 1, last = cells->columns - 1;
    switch (number_at(screen, 0, 0)) {
    case 0:
        hf_terminal_cells_erase(cells, cells->row, cells->column, last_row, last);
        break;
    case 1:
        hf_terminal_cells_erase(cells, 0, 0, cells->row, cells->column);
        break;
    case 2:
    case 3:
        hf_terminal_cells_erase(cells, 0, 0, last_row, last);
        break;
    default:
        break;
    }
}

static void erase_line(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    int how = number_at(screen, 0, 0);
    int from = how == 0 ? cells->column : 0;
    int to = how == 1 ? cells->column : cells->columns - 1;
    if (how <= 2)
        hf_terminal_cells_erase(cells, cells->row, from, cells->row, to);
}

/* Only within the scroll region. */
static void shift_lines(HfTerminalScreen *screen, int count)
{
    HfTerminalCells *cells = cells_of(screen);
    if (cells->row < cells->top || cells->row > cells->bottom)
        return;
    hf_terminal_cells_scroll(cells, cells->row, count, NULL, NULL);
    hf_terminal_cells_move(cells, cells->row, 0);
}

static void set_region(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    int top = number_at(screen, 0, 1) - 1, bottom = number_at(screen, 1, cells->rows) - 1;
    bottom = MIN(bottom, cells->rows - 1);
    if (top >= bottom)
        return;
    cells->top = top;
    cells->bottom = bottom;
    hf_terminal_cells_move(cells, screen->origin ? top : 0, 0);
}

static void save_cursor(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    cells->saved_row = cells->row;
    cells->saved_column = cells->column;
}

static void restore_cursor(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    hf_terminal_cells_move(cells, cells->saved_row, cells->saved_column);
}

static void clear_screen(HfTerminalScreen *screen)
{
    HfTerminalCells *cells = cells_of(screen);
    cells->top = 0;
    cells->bottom = cells->rows - 1;
    hf_terminal_cells_erase(cells, 0, 0, cells->rows - 1, cells->columns - 1);
    hf_terminal_cells_move(cells, 0, 0);
}

static void change_screen(HfTerminalScreen *screen, gboolean other)
{
    int number = other ? 1 : 0;
    gboolean changed = screen->current != number;
    screen->current = number;
    if (changed && other)
        clear_screen(screen);
}

static void set_private_mode(HfTerminalScreen *screen, int mode, gboolean on)
{
    switch (mode) {
    case 1:
        screen->application_keys = on;
        break;
    case 6:
        screen->origin = on;
        hf_terminal_cells_move(cells_of(screen), on ? cells_of(screen)->top : 0, 0);
        break;
    case 7:
        screen->wrap = on;
        break;
    case 25:
        screen->hidden_cursor = !on;
        break;
    case 47:
    case 1047:
    case 1049:
        if (mode == 1049 && on)
            save_cursor(screen);
        change_screen(screen, on);
        if (mode == 1049 && !on)
            restore_cursor(screen);
        break;
    default:
        break;
    }
}

static void set_modes(HfTerminalScreen *screen, gboolean on)
{
    for (int i = 0; i < screen->count; i++) {
        if (screen->prefix == '?')
            set_private_mode(screen, screen->numbers[i], on);
        else if (screen->prefix == 0 && screen->numbers[i] == 4)
            screen->insert = on;
    }
}

/* Answers device attributes, status and cursor position queries. */
static void reply_to_query(HfTerminalScreen *screen, char what, GString *replies)
{
    const HfTerminalCells *cells = cells_of(screen);
    if (!replies || replies->len > HF_LIMIT_TERMINAL_TEXT)
        return;
    if (what == 'c' && screen->prefix == 0)
        g_string_append(replies, "\033[?62;22c");
    else if (what == 'c' && screen->prefix == '>')
        g_string_append(replies, "\033[>1;10;0c");
    else if (what == 'n' && number_at(screen, 0, 0) == 5)
        g_string_append(replies, "\033[0n");
    else if (what == 'n' && number_at(screen, 0, 0) == 6)
        g_string_append_printf(replies, "\033[%d;%dR", cells->row + 1, cells->column + 1);
}

static void repeat_last_character(HfTerminalScreen *screen, int count)
{
    const HfTerminalCells *cells = cells_of(screen);
    gboolean lines = screen->lines;
    screen->lines = FALSE; /* it was translated when it was written */
    for (int i = 0; i < MIN(count, cells->rows * cells->columns) && screen->last; i++)
        put_character(screen, screen->last);
    screen->lines = lines;
}

static void move_cursor(HfTerminalScreen *screen, char final)
{
    HfTerminalCells *cells = cells_of(screen);
    int count = number_at(screen, 0, 1), row = cells->row, column = cells->column;
    int origin = screen->origin ? cells->top : 0;
    switch (final) {
    case 'A':
        hf_terminal_cells_move(cells, MAX(row - count, row >= cells->top ? cells->top : 0), column);
        break;
    case 'B':
    case 'e':
        hf_terminal_cells_move(
            cells, MIN(row + count, row <= cells->bottom ? cells->bottom : cells->rows), column);
        break;
    case 'C':
    case 'a':
        hf_terminal_cells_move(cells, row, column + count);
        break;
    case 'D':
        hf_terminal_cells_move(cells, row, column - count);
        break;
    case 'E':
        hf_terminal_cells_move(cells, row + count, 0);
        break;
    case 'F':
        hf_terminal_cells_move(cells, row - count, 0);
        break;
    case 'G':
    case '`':
        hf_terminal_cells_move(cells, row, count - 1);
        break;
    case 'd':
        hf_terminal_cells_move(cells, origin + count - 1, column);
        break;
    default: /* H, f */
        hf_terminal_cells_move(cells, origin + count - 1, number_at(screen, 1, 1) - 1);
        break;
    }
}

static void edit_cells(HfTerminalScreen *screen, char final)
{
    HfTerminalCells *cells = cells_of(screen);
    int count = number_at(screen, 0, 1);
    switch (final) {
    case 'J':
        erase_display(screen);
        break;
    case 'K':
        erase_line(screen);
        break;
    case 'L':
        shift_lines(screen, -count);
        break;
    case 'M':
        shift_lines(screen, count);
        break;
    case 'P':
        hf_terminal_cells_delete(cells, count);
        break;
    case '@':
        hf_terminal_cells_insert_blanks(cells, count);
        break;
    case 'X':
        hf_terminal_cells_erase(cells, cells->row, cells->column, cells->row,
                                cells->column + count - 1);
        break;
    case 'S':
        hf_terminal_cells_scroll(cells, cells->top, count, gone_of(screen), screen);
        break;
    default: /* T */
        hf_terminal_cells_scroll(cells, cells->top, -count, NULL, NULL);
        break;
    }
}

static void end_sequence(HfTerminalScreen *screen, char final, GString *replies)
{
    screen->state = GROUND;
    if (screen->between)
        return; /* cursor shapes and others without an effect here */
    if (final == 'h' || final == 'l')
        set_modes(screen, final == 'h');
    else if (final == 'c' || final == 'n')
        reply_to_query(screen, final, replies);
    else if (screen->prefix && final != 'J' && final != 'K')
        return;
    else if (strchr("ABCDEFGHadef`", final))
        move_cursor(screen, final);
    else if (strchr("JKLMP@XST", final))
        edit_cells(screen, final);
    else if (final == 'r')
        set_region(screen);
    else if (final == 's')
        save_cursor(screen);
    else if (final == 'u')
        restore_cursor(screen);
    else if (final == 'b')
        repeat_last_character(screen, number_at(screen, 0, 1));
}

static void read_sequence(HfTerminalScreen *screen, gunichar character, GString *replies)
{
    if (character >= '0' && character <= '9') {
        int *number = &screen->numbers[screen->count - 1];
        *number = MIN(*number * 10 + (int)(character - '0'), MAX_NUMBER);
    } else if (character == ';' || character == ':') {
        if (screen->count < HF_LIMIT_TERMINAL_NUMBERS)
            screen->count++;
        else
            screen->numbers[screen->count - 1] = 0;
    } else if (character >= '<' && character <= '?') {
        screen->prefix = (char)character;
    } else if (character >= ' ' && character <= '/') {
        screen->between = (char)character;
    } else if (character >= '@' && character <= '~') {
        end_sequence(screen, (char)character, replies);
    } else if (character == 0x18 || character == 0x1a) {
        screen->state = GROUND;
    } else if (character < ' ') {
        handle_control_character(screen, character);
    } else {
        screen->state = GROUND;
    }
}

/* ---- escape sequences ---- */

static void reset_term_screen(HfTerminalScreen *screen)
{
    screen->current = 0;
    clear_screen(screen);
    screen->wrap = TRUE;
    screen->insert = screen->application_keys = screen->origin = screen->lines = FALSE;
    screen->hidden_cursor = FALSE;
}

static void begin_string(HfTerminalScreen *screen, State state)
{
    screen->state = state;
    screen->after_escape = FALSE;
    g_string_truncate(screen->title_read, 0);
}

static void read_escape_character(HfTerminalScreen *screen, gunichar character)
{
    HfTerminalCells *cells = cells_of(screen);
    screen->state = GROUND;
    if (character == '[') {
        screen->state = SEQUENCE;
        memset(screen->numbers, 0, sizeof screen->numbers);
        screen->count = 1;
        screen->prefix = screen->between = 0;
    } else if (character == ']')
        begin_string(screen, TITLE);
    else if (character == 'P' || character == 'X' || character == '^' || character == '_')
        begin_string(screen, STRING);
    else if (character == '(')
        screen->state = CHARSET;
    else if (character != 0 && character < 0x80 && strchr(")*+-./#% ", (int)character))
        screen->state = ESCAPE_SKIP;
    else if (character == '7')
        save_cursor(screen);
    else if (character == '8')
        restore_cursor(screen);
    else if (character == 'D')
        hf_terminal_cells_line_feed(cells, gone_of(screen), screen);
    else if (character == 'E')
        hf_terminal_cells_move(cells, cells->row, 0),
            hf_terminal_cells_line_feed(cells, gone_of(screen), screen);
    else if (character == 'M')
        hf_terminal_cells_reverse_feed(cells);
    else if (character == 'c')
        reset_term_screen(screen);
    else if (character == 0x1b)
        screen->state = ESCAPE;
}

static void store_terminal_title(HfTerminalScreen *screen)
{
    const char *text = screen->title_read->str;
    if ((text[0] != '0' && text[0] != '2') || text[1] != ';')
        return;
    g_free(screen->title);
    screen->title = g_strdup(text + 2);
}

/* BEL, or ESC and a backslash, ends the string. */
static void read_osc_string(HfTerminalScreen *screen, gunichar character)
{
    gboolean ended = character == 0x07 || (screen->after_escape && character == '\\') ||
                     character == 0x18 || character == 0x1a;
    if (ended && screen->state == TITLE)
        store_terminal_title(screen);
    if (ended) {
        screen->state = GROUND;
    } else if (screen->after_escape) {
        read_escape_character(screen, character); /* another sequence cut it off */
    } else if (character == 0x1b) {
        screen->after_escape = TRUE;
    } else if (character >= ' ' && screen->title_read->len < HF_LIMIT_TERMINAL_TITLE) {
        g_string_append_unichar(screen->title_read, character);
    }
}

static void take_character(HfTerminalScreen *screen, gunichar character, GString *replies)
{
    switch (screen->state) {
    case GROUND:
        if (character >= 0x20 && character != 0x7f && (character < 0x80 || character >= 0xa0))
            put_character(screen, character);
        else
            handle_control_character(screen, character);
        break;
    case ESCAPE:
        read_escape_character(screen, character);
        break;
    case ESCAPE_SKIP:
        screen->state = GROUND;
        break;
    case CHARSET:
        screen->lines = character == '0';
        screen->state = GROUND;
        break;
    case SEQUENCE:
        read_sequence(screen, character, replies);
        break;
    case TITLE:
    case STRING:
        read_osc_string(screen, character);
        break;
    }
}

/* ---- bytes ---- */

void hf_terminal_screen_feed(HfTerminalScreen *screen, const char *bytes, gsize length,
                             GString *replies)
{
    gunichar characters[HF_UTF8_DECODER_MAX];
    for (gsize i = 0; i < length; i++) {
        int count = hf_utf8_decoder_feed(&screen->reader, (guint8)bytes[i], characters);
        for (int j = 0; j < count; j++)
            take_character(screen, characters[j], replies);
    }
}

void hf_terminal_screen_resize(HfTerminalScreen *screen, int rows, int columns)
{
    for (int i = 0; i < 2; i++)
        hf_terminal_cells_resize(&screen->cells[i], rows, columns);
}

/* ---- reading the screen ---- */

void hf_terminal_screen_begin_new(HfTerminalScreen *screen, const char *bytes, gsize length)
{
    for (int i = 0; i < 2; i++)
        hf_terminal_cells_forget_new(&screen->cells[i]);
    screen->has_new = FALSE;
    hf_terminal_echo_expect(&screen->echo, bytes, screen->current == 0 ? length : 0);
}

gboolean hf_terminal_screen_has_new(const HfTerminalScreen *screen)
{
    return screen->has_new;
}

gboolean hf_terminal_screen_shows(const HfTerminalScreen *screen, const char *text,
                                  gboolean only_new)
{
    return hf_terminal_cells_show(&screen->cells[screen->current], text, only_new);
}

char *hf_terminal_screen_dup_text(const HfTerminalScreen *screen)
{
    return hf_terminal_cells_dup_text(&screen->cells[screen->current]);
}

char *hf_terminal_screen_dup_former(const HfTerminalScreen *screen, guint count)
{
    GString *text = g_string_new(NULL);
    guint length = screen->former.length;
    for (guint i = length - MIN(count, length); i < length; i++)
        g_string_append_printf(text, "%s\n",
                               (char *)g_queue_peek_nth((GQueue *)&screen->former, i));
    return g_string_free(text, FALSE);
}

guint64 hf_terminal_screen_scrolled(const HfTerminalScreen *screen)
{
    return screen->scrolled;
}

json_t *hf_terminal_screen_describe(const HfTerminalScreen *screen)
{
    const HfTerminalCells *cells = &screen->cells[screen->current];
    return json_pack("{s:i, s:i, s:{s:i, s:i, s:b}, s:o, s:b}", "rows", cells->rows, "columns",
                     cells->columns, "cursor", "row", cells->row + 1, "column", cells->column + 1,
                     "visible", !screen->hidden_cursor, "title", hf_json_text(screen->title),
                     "full_screen", screen->current == 1);
}

gboolean hf_terminal_screen_wants_application_keys(const HfTerminalScreen *screen)
{
    return screen->application_keys;
}
