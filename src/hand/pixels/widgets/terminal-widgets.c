/* SPDX-License-Identifier: Apache-2.0 */
/* Each line is taken apart into words. Box lines at its ends are dropped, and the number of a
 * function key begins a new key. Only texts in exactly these forms become widgets. */
#include "hand/pixels/widgets/terminal-widgets.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/widgets/widget-groups.h"

/* Function keys stand this near to the lower edge, and there are at least this many. */
#define KEYS_PX    48
#define KEYS_LEAST 4
/* The menu bar stands this near to the upper edge. */
#define MENUS_PX     22
#define MENUS_LEAST  3
#define MENU_LETTERS 16
#define BELOW_LINES  1.6

typedef struct TerminalTexts {
    GArray *texts;
    GPtrArray *kept;
    const HfTerminalScope *scope;
} TerminalTexts;

static HfDetection *terminal_text_at(const TerminalTexts *typing, guint index)
{
    return &g_array_index(typing->texts, HfDetection, index);
}

static const char *keep_text(const TerminalTexts *typing, char *take_text)
{
    g_ptr_array_add(typing->kept, take_text);
    return take_text;
}

static char *dup_word_at(const HfDetection *element, int part)
{
    return g_strndup(element->text + element->parts[part].begin,
                     (gsize)(element->parts[part].end - element->parts[part].begin));
}

/* The words from `first` to before `end`, as a text by themselves. */
static HfDetection cut_words(const TerminalTexts *typing, const HfDetection *element, int first,
                             int end)
{
    HfDetection part = *element;
    int begin = element->parts[first].begin;
    HfNodePart *parts = g_new0(HfNodePart, end - first);
    part.box = element->parts[first].bounds;
    for (int i = first; i < end; i++) {
        parts[i - first] = (HfNodePart){element->parts[i].begin - begin,
                                        element->parts[i].end - begin, element->parts[i].bounds};
        part.box = hf_rect_unite(part.box, element->parts[i].bounds);
    }
    g_ptr_array_add(typing->kept, parts);
    part.text = keep_text(
        typing, g_strndup(element->text + begin, (gsize)(element->parts[end - 1].end - begin)));
    part.parts = parts;
    part.part_count = end - first;
    return part;
}

/* ---- lines of boxes ---- */

static gboolean is_box_line_at(const HfDetection *element, int part)
{
    static const char signs[] = "|│┃─━—–_┌┐└┘├┤┬┴┼";
    g_autofree char *word = dup_word_at(element, part);
    for (const char *at = word; *at; at = g_utf8_next_char(at))
        if (!g_utf8_strchr(signs, -1, g_utf8_get_char(at)))
            return FALSE;
    return TRUE;
}

/* FALSE: nothing is left of it. */
static gboolean trim_box_lines(const TerminalTexts *typing, HfDetection *element)
{
    int first = 0, end = element->part_count;
    if (end == 0)
        return TRUE;
    while (first < end && is_box_line_at(element, first))
        first++;
    while (end > first && is_box_line_at(element, end - 1))
        end--;
    if (first == end)
        return FALSE;
    if (end - first < element->part_count)
        *element = cut_words(typing, element, first, end);
    return TRUE;
}

/* ---- buttons and boxes ---- */

/* The text between two brackets; NULL: too short. */
static char *dup_between_brackets(const char *text, char opening, char closing)
{
    gsize length = strlen(text);
    if (length < 3 || text[0] != opening || text[length - 1] != closing)
        return NULL;
    char *inner = g_strstrip(g_strndup(text + 1, length - 2));
    if (g_utf8_strlen(inner, -1) >= 2)
        return inner;
    g_free(inner);
    return NULL;
}

static gboolean make_typed_button(const TerminalTexts *typing, HfDetection *element)
{
    char *name = dup_between_brackets(element->text, '<', '>');
    if (!name)
        name = dup_between_brackets(element->text, '[', ']');
    if (!name || strpbrk(name, "<>[]") || *name == '!') {
        g_free(name);
        return FALSE;
    }
    element->role = HF_ROLE_BUTTON;
    element->text = keep_text(typing, name);
    element->part_count = 0;
    return TRUE;
}

/* [x] and (*), however many blanks are in it. */
static void make_typed_box(const TerminalTexts *typing, HfDetection *element)
{
    const char *text = element->text, *sign;
    gboolean round = *text == '(';
    if (!round && *text != '[')
        return;
    sign = text + 1 + strspn(text + 1, " ");
    gboolean marked = *sign && strchr(round ? "*oO•xX" : "*xX+", *sign);
    const char *end = sign + (marked ? 1 : 0);
    end += strspn(end, " ");
    if (*end != (round ? ')' : ']') || end - text > 4)
        return;
    char *name = g_strstrip(g_strdup(end + 1));
    element->role = round ? HF_ROLE_RADIO_BUTTON : HF_ROLE_CHECK_BOX;
    element->states = marked ? HF_STATE(HF_STATE_CHECKED) : 0;
    element->text = *name ? name : NULL;
    element->part_count = 0;
    keep_text(typing, name);
}

/* ---- keys ---- */

static gboolean begins_key(const HfDetection *element, int part, int *ret_number)
{
    g_autofree char *word = dup_word_at(element, part);
    const char *digits = *word == 'F' ? word + 1 : word;
    gsize count = strspn(digits, "0123456789");
    *ret_number = count > 0 && count <= 2 && digits[count] == '\0' ? atoi(digits) : 0;
    return *ret_number > 0;
}

static gboolean is_at_bottom(const TerminalTexts *typing, const HfDetection *element)
{
    int bottom = typing->scope->window.y + typing->scope->window.height;
    return element->part_count > 0 && element->box.y + element->box.height / 2 > bottom - KEYS_PX;
}

/* OCR separates Chinese words where there is no space. */
static char *join_key_words(const HfDetection *element, int first, int end)
{
    GString *name = g_string_new("");
    for (int i = first; i < end; i++) {
        g_autofree char *word = dup_word_at(element, i);
        gboolean latin =
            name->len > 0 && g_ascii_isalnum(name->str[name->len - 1]) && g_ascii_isalnum(*word);
        g_string_append_printf(name, "%s%s", latin ? " " : "", word);
    }
    return g_string_free(name, FALSE);
}

/* The keys of one text: each is a number and what follows it. */
static void find_keys(const TerminalTexts *typing, const HfDetection *element, int *last,
                      GArray *keys)
{
    int number, next = 0;
    if (!begins_key(element, 0, &number))
        return;
    for (int first = 0, end; first < element->part_count; first = end, number = next) {
        for (end = first + 1; end < element->part_count && !begins_key(element, end, &next);)
            end++;
        *last = MAX(number, *last + 1); /* OCR may lose one of two digits */
        if (end == first + 1)
            continue;
        HfDetection key = cut_words(typing, element, first, end);
        key.role = HF_ROLE_BUTTON;
        key.text = keep_text(typing, join_key_words(element, first + 1, end));
        key.label = keep_text(typing, g_strdup_printf("F%d", *last));
        key.part_count = 0;
        g_array_append_val(keys, key);
    }
}

static int compare_key_left(gconstpointer a, gconstpointer b)
{
    return ((const HfDetection *)a)->box.x - ((const HfDetection *)b)->box.x;
}

static void make_function_keys(const TerminalTexts *typing)
{
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    g_autoptr(GArray) row = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    int last = 0, ignored;
    for (guint i = 0; i < typing->texts->len; i++)
        if (is_at_bottom(typing, terminal_text_at(typing, i)))
            g_array_append_val(row, *terminal_text_at(typing, i));
    g_array_sort(row, compare_key_left);
    for (guint i = 0; i < row->len; i++)
        find_keys(typing, &g_array_index(row, HfDetection, i), &last, keys);
    if (keys->len < KEYS_LEAST)
        return;
    for (guint i = typing->texts->len; i-- > 0;)
        if (is_at_bottom(typing, terminal_text_at(typing, i)) &&
            begins_key(terminal_text_at(typing, i), 0, &ignored))
            g_array_remove_index(typing->texts, i);
    g_array_append_vals(typing->texts, keys->data, keys->len);
}

/* ---- menus ---- */

static gboolean is_at_top(const TerminalTexts *typing, const HfDetection *element)
{
    return element->box.y + element->box.height / 2 < typing->scope->window.y + MENUS_PX;
}

/* Whether the text stands on another ground than the line below. */
static gboolean is_on_bar(const TerminalTexts *typing, const HfDetection *element)
{
    int x = element->box.x + element->box.width + element->box.height,
        y = element->box.y + element->box.height / 2;
    HfGrouping picture = {.image = typing->scope->image, .area = typing->scope->area};
    guint32 here, below;
    return hf_grouping_pixel(&picture, x, y, &here) &&
           hf_grouping_pixel(&picture, x, y + (int)(element->box.height * BELOW_LINES), &below) &&
           !hf_colours_alike(here, below);
}

static void make_menu_bar(const TerminalTexts *typing)
{
    guint menus = 0, on_bar = 0;
    for (guint i = 0; i < typing->texts->len; i++) {
        const HfDetection *element = terminal_text_at(typing, i);
        if (!is_at_top(typing, element))
            continue;
        if (!element->text || g_utf8_strlen(element->text, -1) > MENU_LETTERS)
            return;
        menus++;
        on_bar += is_on_bar(typing, element);
    }
    if (menus < MENUS_LEAST || on_bar * 2 < menus)
        return;
    for (guint i = 0; i < typing->texts->len; i++)
        if (is_at_top(typing, terminal_text_at(typing, i)) &&
            terminal_text_at(typing, i)->role == HF_ROLE_LABEL)
            terminal_text_at(typing, i)->role = HF_ROLE_MENU;
}

/* ---- all of them ---- */

void hf_terminal_widgets_find(GArray *texts, GPtrArray *kept, const HfTerminalScope *scope)
{
    TerminalTexts typing = {texts, kept, scope};
    for (guint i = texts->len; i-- > 0;)
        if (!trim_box_lines(&typing, terminal_text_at(&typing, i)))
            g_array_remove_index(texts, i);
    for (guint i = 0; i < texts->len; i++)
        if (!make_typed_button(&typing, terminal_text_at(&typing, i)))
            make_typed_box(&typing, terminal_text_at(&typing, i));
    if (!scope->terminal)
        return;
    make_function_keys(&typing);
    if (scope->image)
        make_menu_bar(&typing);
}

gboolean hf_window_is_terminal(const char *class_name, const char *process)
{
    static const char *const names[] = {"term", "konsole", "rxvt", "alacritty", "kitty", "foot"};
    g_autofree char *text =
        g_strconcat(class_name ? class_name : "", " ", process ? process : "", NULL);
    g_autofree char *lower = g_ascii_strdown(text, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (strstr(lower, names[i]))
            return TRUE;
    return FALSE;
}
