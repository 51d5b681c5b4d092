/* SPDX-License-Identifier: Apache-2.0 */
/* Tests terminal-widgets.c: lines as OCR reads them from a terminal, and the widgets in them. */
#include "hand/pixels/widgets/terminal-widgets.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/image/draw.h"

#define CELL 9

typedef struct Line {
    const char *text;
    int x, y;
} Line;

typedef struct Case {
    const char *name;
    Line lines[5];
    gboolean bar;      /* the first line is on another ground */
    const char *found; /* role 'name' (label) states, one a line */
} Case;

static const Case cases[] = {
    {"a line is a line", {{"Hello world", 20, 100}}, FALSE, "label 'Hello world'\n"},
    {"a button in brackets", {{"<OK>", 20, 100}}, FALSE, "button 'OK'\n"},
    {"of Chinese, with blanks", {{"< 取消 >", 20, 100}}, FALSE, "button '取消'\n"},
    {"in square ones", {{"[ Save ]", 20, 100}}, FALSE, "button 'Save'\n"},
    {"two of them are none", {{"<OK> <Cancel>", 20, 100}}, FALSE, "label '<OK> <Cancel>'\n"},
    {"a single letter is none", {{"<a>", 20, 100}}, FALSE, "label '<a>'\n"},
    {"a box that is ticked", {{"[x] Games", 20, 100}}, FALSE, "check-box 'Games' checked\n"},
    {"one that is not", {{"[ ] Games", 20, 100}}, FALSE, "check-box 'Games'\n"},
    {"one with a star", {{"[*] 游戏", 20, 100}}, FALSE, "check-box '游戏' checked\n"},
    {"circles",
     {{"(*) way", 20, 100}, {"( ) fb", 20, 120}},
     FALSE,
     "radio-button 'way' checked\nradio-button 'fb'\n"},
    {"what is in brackets is no box",
     {{"(see below)", 20, 100}, {"[1] Note", 20, 120}},
     FALSE,
     "label '(see below)'\nlabel '[1] Note'\n"},
    {"lines of boxes are no text",
     {{"│ Title │", 20, 100}, {"———", 20, 120}, {"a | b", 20, 140}},
     FALSE,
     "label 'Title'\nlabel 'a | b'\n"},
    {"keys in the last line",
     {{"1 Help 2 Menu 3 View", 20, 380}, {"4 编 辑 1 退出", 320, 380}},
     FALSE,
     "button 'Help' (F1)\nbutton 'Menu' (F2)\nbutton 'View' (F3)\nbutton '编辑' (F4)\n"
     "button '退出' (F5)\n"},
    {"not in others",
     {{"1 Help 2 Menu 3 View 4 Edit", 20, 200}},
     FALSE,
     "label '1 Help 2 Menu 3 View 4 Edit'\n"},
    {"nor fewer", {{"1 file 2 dirs", 20, 380}}, FALSE, "label '1 file 2 dirs'\n"},
    {"menus on a bar",
     {{"File", 20, 4}, {"Edit", 120, 4}, {"View", 220, 4}, {"text", 20, 60}},
     TRUE,
     "menu 'File'\nmenu 'Edit'\nmenu 'View'\nlabel 'text'\n"},
    {"without a bar they are texts",
     {{"File", 20, 4}, {"Edit", 120, 4}, {"View", 220, 4}},
     FALSE,
     "label 'File'\nlabel 'Edit'\nlabel 'View'\n"},
};

/* Its words where they would stand, nine pixels for each letter. */
static HfDetection seen_of(const Line *line, GPtrArray *kept)
{
    g_auto(GStrv) words = g_strsplit(line->text, " ", -1);
    int count = (int)g_strv_length(words), at = 0;
    HfNodePart *parts = g_new0(HfNodePart, count);
    HfRect all = {line->x, line->y, 0, 14};
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(words[i]);
        parts[i] = (HfNodePart){at, at + length, {line->x + at * CELL, line->y, length * CELL, 14}};
        at += length + 1;
    }
    all.width = (at - 1) * CELL;
    g_ptr_array_add(kept, parts);
    return (HfDetection){.box = all,
                         .role = HF_ROLE_LABEL,
                         .source = HF_SOURCE_OCR,
                         .text = line->text,
                         .confidence = 0.9,
                         .parts = parts,
                         .part_count = count};
}

static char *describe(const GArray *texts)
{
    GString *text = g_string_new("");
    for (guint i = 0; i < texts->len; i++) {
        const HfDetection *seen = &g_array_index(texts, HfDetection, i);
        g_string_append_printf(text, "%s '%s'", hf_node_role_name(seen->role), seen->text);
        if (seen->label)
            g_string_append_printf(text, " (%s)", seen->label);
        g_string_append(text, hf_states_have(seen->states, HF_STATE_CHECKED) ? " checked\n" : "\n");
    }
    return g_string_free(text, FALSE);
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(HfDetection));
        g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(HfImage) image = hf_image_new(600, 400);
        HfTerminalScope scope = {{0, 0, 600, 400}, TRUE, image, {0, 0, 600, 400}};
        hf_image_fill(image, scope.area, 0x0000ee);
        if (cases[i].bar)
            hf_image_fill(image, (HfRect){0, 0, 600, 20}, 0x00cdcd);
        for (const Line *line = cases[i].lines; line->text; line++) {
            HfDetection seen = seen_of(line, kept);
            g_array_append_val(texts, seen);
        }
        hf_terminal_widgets_find(texts, kept, &scope);
        g_autofree char *found = describe(texts);
        g_test_message("%s", cases[i].name);
        g_assert_cmpstr(found, ==, cases[i].found);
    }
}

static void test_terminals(void)
{
    g_assert_true(hf_window_is_terminal("XTerm", "xterm"));
    g_assert_true(hf_window_is_terminal("konsole", NULL));
    g_assert_false(hf_window_is_terminal("Gimp", "gimp-2.10"));
    g_assert_false(hf_window_is_terminal(NULL, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/typed/cases", test_cases);
    g_test_add_func("/typed/terminals", test_terminals);
    return g_test_run();
}
