/* SPDX-License-Identifier: Apache-2.0 */
/* Each line is taken apart into its words: lines of boxes at its ends are left out, numbers of keys
 * begin a new key. Only what is written just so is taken for something to press. */
#include "hand/locate/typed.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"

/* The keys are within so many pixels of the lower edge, and there are at least so many. */
#define KEYS_PX    48
#define KEYS_LEAST 4
/* The menu bar is within so many pixels of the upper edge; what is below it is looked at there. */
#define MENUS_PX     22
#define MENUS_LEAST  3
#define MENU_LETTERS 16
#define BELOW_LINES  1.6

typedef struct Typing {
    GArray *texts;
    GPtrArray *kept;
    const HfTypedScope *scope;
} Typing;

static HfSeen *text_at(const Typing *typing, guint index)
{
    return &g_array_index(typing->texts, HfSeen, index);
}

static const char *keep(const Typing *typing, char *take_text)
{
    g_ptr_array_add(typing->kept, take_text);
    return take_text;
}

static char *word_at(const HfSeen *seen, int part)
{
    return g_strndup(seen->text + seen->parts[part].begin,
                     (gsize)(seen->parts[part].end - seen->parts[part].begin));
}

/* The words from `first` to before `end` as a text of their own. */
static HfSeen cut(const Typing *typing, const HfSeen *seen, int first, int end)
{
    HfSeen part = *seen;
    int begin = seen->parts[first].begin;
    HfNodePart *parts = g_new0(HfNodePart, end - first);
    part.box = seen->parts[first].bounds;
    for (int i = first; i < end; i++) {
        parts[i - first] = (HfNodePart){seen->parts[i].begin - begin, seen->parts[i].end - begin,
                                        seen->parts[i].bounds};
        part.box = hf_rect_unite(part.box, seen->parts[i].bounds);
    }
    g_ptr_array_add(typing->kept, parts);
    part.text =
        keep(typing, g_strndup(seen->text + begin, (gsize)(seen->parts[end - 1].end - begin)));
    part.parts = parts;
    part.part_count = end - first;
    return part;
}

/* ---- lines of boxes ---- */

static gboolean is_rule(const char *word)
{
    static const char *const signs = "|│┃─━—–_┌┐└┘├┤┬┴┼";
    for (const char *at = word; *at; at = g_utf8_next_char(at))
        if (!g_utf8_strchr(signs, -1, g_utf8_get_char(at)))
            return FALSE;
    return TRUE;
}

static gboolean is_rule_at(const HfSeen *seen, int part)
{
    g_autofree char *word = word_at(seen, part);
    return is_rule(word);
}

/* FALSE: nothing is left of it. */
static gboolean clean(const Typing *typing, HfSeen *seen)
{
    int first = 0, end = seen->part_count;
    if (end == 0)
        return TRUE;
    while (first < end && is_rule_at(seen, first))
        first++;
    while (end > first && is_rule_at(seen, end - 1))
        end--;
    if (first == end)
        return FALSE;
    if (end - first < seen->part_count)
        *seen = cut(typing, seen, first, end);
    return TRUE;
}

/* ---- buttons and boxes ---- */

/* What stands between the first and the last letter; NULL: too little. */
static char *dup_inner(const char *text, char opening, char closing)
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

static gboolean make_button(const Typing *typing, HfSeen *seen)
{
    char *name = dup_inner(seen->text, '<', '>');
    if (!name)
        name = dup_inner(seen->text, '[', ']');
    if (!name || strpbrk(name, "<>[]") || *name == '!') {
        g_free(name);
        return FALSE;
    }
    seen->role = HF_ROLE_BUTTON;
    seen->text = keep(typing, name);
    seen->part_count = 0;
    return TRUE;
}

/* [x] and (*), however many blanks are in it. */
static void make_box(const Typing *typing, HfSeen *seen)
{
    const char *text = seen->text, *sign;
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
    seen->role = round ? HF_ROLE_RADIO_BUTTON : HF_ROLE_CHECK_BOX;
    seen->states = marked ? HF_STATE(HF_STATE_CHECKED) : 0;
    seen->text = *name ? name : NULL;
    seen->part_count = 0;
    keep(typing, name);
}

/* ---- keys ---- */

static int key_number(const char *word)
{
    const char *digits = *word == 'F' ? word + 1 : word;
    gsize count = strspn(digits, "0123456789");
    return count > 0 && count <= 2 && digits[count] == '\0' ? atoi(digits) : 0;
}

static gboolean begins_key(const HfSeen *seen, int part, int *ret_number)
{
    g_autofree char *word = word_at(seen, part);
    *ret_number = key_number(word);
    return *ret_number > 0;
}

static gboolean is_at_bottom(const Typing *typing, const HfSeen *seen)
{
    int bottom = typing->scope->window.y + typing->scope->window.height;
    return seen->part_count > 0 && seen->box.y + seen->box.height / 2 > bottom - KEYS_PX;
}

/* Words of Chinese are told apart by readers where there is nothing between them. */
static char *join_words(const HfSeen *seen, int first, int end)
{
    GString *name = g_string_new("");
    for (int i = first; i < end; i++) {
        g_autofree char *word = word_at(seen, i);
        gboolean latin =
            name->len > 0 && g_ascii_isalnum(name->str[name->len - 1]) && g_ascii_isalnum(*word);
        g_string_append_printf(name, "%s%s", latin ? " " : "", word);
    }
    return g_string_free(name, FALSE);
}

static void add_key(const Typing *typing, GArray *keys, const HfSeen *seen, int first, int end,
                    int number)
{
    HfSeen key = cut(typing, seen, first, end);
    key.role = HF_ROLE_BUTTON;
    key.text = keep(typing, join_words(seen, first + 1, end));
    key.label = keep(typing, g_strdup_printf("F%d", number));
    key.part_count = 0;
    g_array_append_val(keys, key);
}

/* The keys of one text: a number and what follows it. */
static void find_keys(const Typing *typing, const HfSeen *seen, int *last, GArray *keys)
{
    int number, next;
    if (!begins_key(seen, 0, &number))
        return;
    for (int first = 0, end; first < seen->part_count; first = end, number = next) {
        for (end = first + 1; end < seen->part_count && !begins_key(seen, end, &next);)
            end++;
        *last = MAX(number, *last + 1); /* of two digits one may be lost */
        if (end > first + 1)
            add_key(typing, keys, seen, first, end, *last);
    }
}

static int by_left(gconstpointer a, gconstpointer b)
{
    return ((const HfSeen *)a)->box.x - ((const HfSeen *)b)->box.x;
}

static void make_keys(const Typing *typing)
{
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(HfSeen));
    g_autoptr(GArray) row = g_array_new(FALSE, FALSE, sizeof(HfSeen));
    int last = 0, ignored;
    for (guint i = 0; i < typing->texts->len; i++)
        if (is_at_bottom(typing, text_at(typing, i)))
            g_array_append_val(row, *text_at(typing, i));
    g_array_sort(row, by_left);
    for (guint i = 0; i < row->len; i++)
        find_keys(typing, &g_array_index(row, HfSeen, i), &last, keys);
    if (keys->len < KEYS_LEAST)
        return;
    for (guint i = typing->texts->len; i-- > 0;)
        if (is_at_bottom(typing, text_at(typing, i)) && begins_key(text_at(typing, i), 0, &ignored))
            g_array_remove_index(typing->texts, i);
    g_array_append_vals(typing->texts, keys->data, keys->len);
}

/* ---- menus ---- */

static gboolean pixel_at(const HfTypedScope *scope, int x, int y, guint32 *ret_colour)
{
    int column = x - scope->area.x, line = y - scope->area.y;
    if (column < 0 || line < 0 || column >= scope->image->width || line >= scope->image->height)
        return FALSE;
    *ret_colour = hf_image_row(scope->image, line)[column];
    return TRUE;
}

static gboolean is_at_top(const Typing *typing, const HfSeen *seen)
{
    return seen->box.y + seen->box.height / 2 < typing->scope->window.y + MENUS_PX;
}

/* Whether the ground right of a text is another one than that of the line below. */
static gboolean is_on_bar(const Typing *typing, const HfSeen *seen)
{
    int x = seen->box.x + seen->box.width + seen->box.height,
        y = seen->box.y + seen->box.height / 2;
    guint32 here, below;
    return pixel_at(typing->scope, x, y, &here) &&
           pixel_at(typing->scope, x, y + (int)(seen->box.height * BELOW_LINES), &below) &&
           !hf_colours_alike(here, below);
}

static void make_menus(const Typing *typing)
{
    guint menus = 0, on_bar = 0;
    for (guint i = 0; i < typing->texts->len; i++) {
        const HfSeen *seen = text_at(typing, i);
        if (!is_at_top(typing, seen))
            continue;
        if (!seen->text || g_utf8_strlen(seen->text, -1) > MENU_LETTERS)
            return;
        menus++;
        on_bar += is_on_bar(typing, seen);
    }
    if (menus < MENUS_LEAST || on_bar * 2 < menus)
        return;
    for (guint i = 0; i < typing->texts->len; i++)
        if (is_at_top(typing, text_at(typing, i)) && text_at(typing, i)->role == HF_ROLE_LABEL)
            text_at(typing, i)->role = HF_ROLE_MENU;
}

/* ---- all of them ---- */

void hf_typed_find(GArray *texts, GPtrArray *kept, const HfTypedScope *scope)
{
    Typing typing = {texts, kept, scope};
    for (guint i = texts->len; i-- > 0;)
        if (!clean(&typing, text_at(&typing, i)))
            g_array_remove_index(texts, i);
    for (guint i = 0; i < texts->len; i++)
        if (!make_button(&typing, text_at(&typing, i)))
            make_box(&typing, text_at(&typing, i));
    if (!scope->terminal)
        return;
    make_keys(&typing);
    if (scope->image)
        make_menus(&typing);
}

gboolean hf_typed_is_terminal(const char *class_name, const char *process)
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
