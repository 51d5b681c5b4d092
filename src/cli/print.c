/* SPDX-License-Identifier: Apache-2.0 */
/* Output for people: aligned, with the widths of a terminal (a Chinese character takes two
 * columns). */
#include "cli/print.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

static gboolean as_json;

void hf_print_set_json(void)
{
    as_json = TRUE;
}

gboolean hf_print_is_json(void)
{
    return as_json;
}

void hf_print_result(const json_t *object, const char *sentence)
{
    if (as_json)
        hf_print_json(object);
    else
        printf("%s\n", sentence);
}

static const char *get_style(int fd, const char *code)
{
    return isatty(fd) && !g_getenv("NO_COLOR") ? code : "";
}

int hf_print_columns_of(const char *text)
{
    int columns = 0;
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        gunichar character = g_utf8_get_char(p);
        columns += g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
    }
    return columns;
}

/* A value in one line. */
static char *value_text(const json_t *value)
{
    if (json_is_string(value)) {
        char *text = g_strdup(json_string_value(value));
        return g_strdelimit(text, "\n\r\t", ' ');
    }
    if (json_is_real(value))
        return g_strdup_printf("%.6g", json_real_value(value));
    if (json_is_object(value) && json_object_get(value, "width") && json_object_get(value, "x"))
        return g_strdup_printf("%g,%g %gx%g", hf_json_number(value, "x", 0),
                               hf_json_number(value, "y", 0), hf_json_number(value, "width", 0),
                               hf_json_number(value, "height", 0));
    if (json_is_object(value) && json_object_size(value) == 2 && json_object_get(value, "x") &&
        json_object_get(value, "y"))
        return g_strdup_printf("%g,%g", hf_json_number(value, "x", 0),
                               hf_json_number(value, "y", 0));
    if (json_is_array(value) && json_array_size(value) == 0)
        return g_strdup(_("none"));
    return hf_json_dump(value);
}

static gboolean is_table(const json_t *value)
{
    return json_is_array(value) && json_is_object(json_array_get(value, 0));
}

/* A text with several lines. */
static gboolean is_block(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && strchr(text, '\n');
}

static void print_block(const char *key, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    hf_print_title(key);
    for (char **line = lines; *line; line++)
        if (**line)
            printf("  %s\n", g_strdelimit(*line, "\r\t", ' '));
}

void hf_print_title(const char *text)
{
    printf("%s%s%s\n", get_style(1, "\033[1m"), text, get_style(1, "\033[0m"));
}

/* An object that is unreadable as one line of JSON, because it contains a diff or a table. */
static gboolean needs_own_block(const json_t *value)
{
    const char *key;
    json_t *member;
    if (json_is_object(value))
        json_object_foreach ((json_t *)value, key, member)
            if (is_table(member) || is_block(member))
                return TRUE;
    return FALSE;
}

static void print_rows(const char *key, const json_t *rows)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *name;
    json_t *cell;
    hf_print_title(key);
    json_object_foreach (json_array_get(rows, 0), name, cell)
        if (!is_table(cell))
            g_ptr_array_add(names, (gpointer)name);
    g_ptr_array_add(names, NULL);
    hf_print_table(rows, (const char *const *)names->pdata);
}

void hf_print_object(const json_t *object)
{
    const char *key;
    json_t *value;
    int width = 0;
    json_object_foreach ((json_t *)object, key, value)
        width = MAX(width, hf_print_columns_of(key));
    json_object_foreach ((json_t *)object, key, value) {
        if (is_table(value) || is_block(value) || needs_own_block(value))
            continue;
        g_autofree char *text = value_text(value);
        printf("  %s%s%s%*s  %s\n", get_style(1, "\033[2m"), key, get_style(1, "\033[0m"),
               width - hf_print_columns_of(key), "", text);
    }
    json_object_foreach ((json_t *)object, key, value) {
        if (is_block(value)) {
            print_block(key, json_string_value(value));
        } else if (is_table(value)) {
            print_rows(key, value);
        } else if (needs_own_block(value)) {
            hf_print_title(key);
            hf_print_object(value);
        }
    }
}

/* Cuts a long cell, so that a row stays on one line. */
#define CELL_COLUMNS 48

static void print_cell(const char *text, int width, gboolean last)
{
    printf("%s", text);
    if (!last)
        printf("%*s  ", MAX(0, width - hf_print_columns_of(text)), "");
}

static char *cell_text(const json_t *row, const char *column)
{
    const json_t *value = json_object_get(row, column);
    char *text = value && !json_is_null(value) ? value_text(value) : g_strdup("");
    if (hf_print_columns_of(text) <= CELL_COLUMNS)
        return text;
    const char *end = text;
    for (int columns = 0; *end && columns < CELL_COLUMNS - 1; end = g_utf8_next_char(end))
        columns += g_unichar_iswide(g_utf8_get_char(end)) ? 2 : 1;
    char *cut = g_strdup_printf("%.*s…", (int)(end - text), text);
    g_free(text);
    return cut;
}

void hf_print_table(const json_t *rows, const char *const *columns)
{
    guint count = g_strv_length((char **)columns);
    g_autofree int *widths = g_new0(int, count + 1);
    for (guint i = 0; i < count; i++)
        widths[i] = hf_print_columns_of(columns[i]);
    hf_json_each (row, rows)
        for (guint i = 0; i < count; i++) {
            g_autofree char *text = cell_text(row, columns[i]);
            widths[i] = MAX(widths[i], hf_print_columns_of(text));
        }
    printf("  %s", get_style(1, "\033[2m"));
    for (guint i = 0; i < count; i++)
        print_cell(columns[i], widths[i], i + 1 == count);
    printf("%s\n", get_style(1, "\033[0m"));
    hf_json_each (row, rows) {
        printf("  ");
        for (guint i = 0; i < count; i++) {
            g_autofree char *text = cell_text(row, columns[i]);
            print_cell(text, widths[i], i + 1 == count);
        }
        printf("\n");
    }
}

void hf_print_error(const json_t *error)
{
    if (as_json) {
        g_autoptr(json_t) answer = json_pack("{s:b, s:O}", "ok", 0, "error", error);
        hf_print_json(answer);
        return;
    }
    fprintf(stderr, "%s%s%s: %s\n", get_style(2, "\033[1;31m"),
            hf_json_string(error, "code", "INTERNAL"), get_style(2, "\033[0m"),
            hf_json_string(error, "message", ""));
    const json_t *details = json_object_get(error, "details");
    if (details) {
        g_autofree char *text = hf_json_dump(details);
        fprintf(stderr, "  %s%s%s\n", get_style(2, "\033[2m"), text, get_style(2, "\033[0m"));
    }
    const char *suggestion = hf_json_string(error, "suggestion", "");
    if (*suggestion)
        fprintf(stderr, "  → %s\n", _(suggestion));
}

void hf_print_gerror(const GError *error)
{
    g_autoptr(json_t) json = hf_error_to_json(error);
    hf_print_error(json);
}

void hf_print_json(const json_t *json)
{
    /* With 17 digits, 4.706 would become 4.7060000000000004. */
    json_dumpf(json, stdout, (isatty(1) ? JSON_INDENT(2) : JSON_COMPACT) | JSON_REAL_PRECISION(15));
    printf("\n");
}

void hf_print_cut_line(const char *colour, const char *line, const char *rest)
{
    struct winsize size = {0};
    int room = isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col
                   ? MAX(8, size.ws_col - hf_print_columns_of(line))
                   : G_MAXINT;
    const char *end = rest;
    for (int columns = 0; *end && columns < room - 1; end = g_utf8_next_char(end))
        columns += g_unichar_iswide(g_utf8_get_char(end)) ? 2 : 1;
    printf("%s%s%.*s%s%s\n", colour, line, (int)(end - rest), rest, *end ? "…" : "",
           *colour ? "\033[0m" : "");
}
