/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/locate/told.c, join.c, phrase.c, sight.c and written.c: small trees as programs tell
 * them, and what was seen in their pictures. */
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/ax-coverage.h"
#include "hand/locate/element-resolver.h"
#include "hand/locate/tree-merge.h"
#include "hand/pixels/image/draw.h"
#include "hand/pixels/widgets/picture-shapes.h"
#include "hand/pixels/widgets/widgets.h"

#define SHOWN  (HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_ENABLED))
#define HIDDEN HF_STATE(HF_STATE_ENABLED)
#define WINDOW 7u

enum { CANVAS = 6, DRAWING_AREA = 18 };

typedef struct Told {
    int parent; /* index; -1: a window */
    int role;
    const char *name;
    HfRect bounds;
    guint64 states; /* 0: shown */
    HfMissing missing;
    const char *description;
} Told;

#define FRAME                                                                                      \
    {                                                                                              \
        -1, HF_ROLE_FRAME, "Window",                                                               \
        {                                                                                          \
            0, 0, 400, 300                                                                         \
        }                                                                                          \
    }

static HfTree *tree_of(const Told *nodes)
{
    HfTree *tree = hf_tree_new();
    HfTreeProgram program = {.bus = ":1.5", .name = "program", .toolkit = "gtk", .pid = 5};
    hf_tree_add_program(tree, &program);
    for (int i = 0; nodes[i].bounds.width; i++) {
        g_autofree char *path = g_strdup_printf("/%d", i);
        HfNode node = {.path = path,
                       .role = nodes[i].role,
                       .name = nodes[i].name,
                       .description = nodes[i].description,
                       .bounds = nodes[i].bounds,
                       .states = nodes[i].states ? nodes[i].states : SHOWN,
                       .missing = nodes[i].missing,
                       .source = HF_SOURCE_ACCESS,
                       .window = WINDOW};
        hf_tree_add(tree, nodes[i].parent, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

/* ---- what is told of a place ---- */

static void test_told_at(void)
{
    static const struct {
        const char *name;
        Told nodes[5];
        HfAxCoverage told;
        int index;
    } cases[] = {
        {"nothing", {FRAME}, HF_AX_COVERAGE_NONE, 0},
        {"a label says what it shows",
         {FRAME, {0, HF_ROLE_LABEL, "Name", {90, 90, 40, 20}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"a button that is called something",
         {FRAME, {0, HF_ROLE_BUTTON, "Save", {90, 90, 40, 20}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"by the label inside",
         {FRAME,
          {0, HF_ROLE_BUTTON, NULL, {90, 90, 40, 20}},
          {1, HF_ROLE_LABEL, "Save", {92, 92, 4, 4}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"or by what its program says of it",
         {FRAME, {0, HF_ROLE_BUTTON, NULL, {90, 90, 40, 20}, 0, 0, "Saves"}},
         HF_AX_COVERAGE_FULL,
         1},
        {"one without a name",
         {FRAME, {0, HF_ROLE_BUTTON, NULL, {90, 90, 40, 20}}},
         HF_AX_COVERAGE_UNNAMED,
         1},
        {"the text of a field is not read",
         {FRAME, {0, HF_ROLE_ENTRY, NULL, {90, 90, 40, 20}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"nor of what can be written in",
         {FRAME, {0, HF_ROLE_PANEL, NULL, {90, 90, 40, 20}, SHOWN | HF_STATE(HF_STATE_EDITABLE)}},
         HF_AX_COVERAGE_FULL,
         1},
        {"the name of a box says nothing of what is in it",
         {FRAME, {0, HF_ROLE_PANEL, "Files", {90, 90, 40, 20}}},
         HF_AX_COVERAGE_NONE,
         1},
        {"what does not show is not there",
         {FRAME, {0, HF_ROLE_LABEL, "Name", {90, 90, 40, 20}, HIDDEN}},
         HF_AX_COVERAGE_NONE,
         0},
        {"what lies elsewhere neither",
         {FRAME, {0, HF_ROLE_LABEL, "Name", {190, 90, 40, 20}}},
         HF_AX_COVERAGE_NONE,
         0},
        {"what is painted in a paragraph is none of its text",
         {FRAME,
          {0, HF_ROLE_PARAGRAPH, NULL, {80, 80, 90, 90}},
          {1, CANVAS, NULL, {90, 90, 40, 20}}},
         HF_AX_COVERAGE_NONE,
         2},
        {"what is painted on a button that is called something is told",
         {FRAME, {0, HF_ROLE_BUTTON, "Map", {80, 80, 90, 90}}, {1, CANVAS, NULL, {90, 90, 40, 20}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"the page behind a tab is not on it, though below it in the tree",
         {FRAME,
          {0, HF_ROLE_PAGE_TAB, "Files", {10, 10, 40, 20}},
          {1, HF_ROLE_ICON, NULL, {80, 80, 90, 90}}},
         HF_AX_COVERAGE_UNNAMED,
         2},
        {"but its boxes are left to the program",
         {FRAME,
          {0, HF_ROLE_PAGE_TAB, "Files", {10, 10, 40, 20}},
          {1, HF_ROLE_PANEL, NULL, {80, 80, 90, 90}}},
         HF_AX_COVERAGE_FULL,
         1},
        {"a file in a folder, told as a picture with its caption",
         {FRAME, {0, HF_ROLE_ICON, NULL, {60, 60, 88, 65}}},
         HF_AX_COVERAGE_UNNAMED,
         1},
        {"a small picture has none",
         {FRAME, {0, HF_ROLE_ICON, NULL, {95, 90, 20, 20}}},
         HF_AX_COVERAGE_NONE,
         1},
        {"what is further in decides",
         {FRAME,
          {0, HF_ROLE_PANEL, NULL, {80, 80, 90, 90}},
          {1, HF_ROLE_BUTTON, NULL, {90, 90, 40, 20}}},
         HF_AX_COVERAGE_UNNAMED,
         2},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) tree = tree_of(cases[i].nodes);
        int index = 0;
        HfAxCoverage told = hf_ax_coverage_at(tree, WINDOW, (HfRect){100, 95, 8, 8}, &index);
        g_test_message("%s", cases[i].name);
        g_assert_cmpint(told, ==, cases[i].told);
        g_assert_cmpint(index, ==, cases[i].index);
        g_assert_cmpint(hf_ax_coverage_at(tree, WINDOW + 1, (HfRect){100, 95, 8, 8}, &index), ==,
                        HF_AX_COVERAGE_NONE);
        g_assert_cmpint(index, ==, HF_NODE_NONE);
    }
}

static void test_blind(void)
{
    static const struct {
        const char *name;
        Told nodes[4];
        const char *blind;
    } cases[] = {
        {"a window of which nothing is told", {{0}}, "0,0 400x300"},
        {"a bare window", {FRAME}, "0,0 400x300"},
        {"a window with a button", {FRAME, {0, HF_ROLE_BUTTON, "Save", {10, 10, 80, 30}}}, ""},
        {"a canvas", {FRAME, {0, CANVAS, NULL, {10, 10, 80, 30}}}, "10,10 80x30"},
        {"a canvas in a paragraph",
         {FRAME,
          {0, HF_ROLE_PARAGRAPH, NULL, {0, 0, 400, 80}},
          {1, CANVAS, NULL, {10, 10, 80, 30}}},
         "10,10 80x30"},
        {"too small for a word", {FRAME, {0, CANVAS, NULL, {10, 10, 30, 30}}}, ""},
        {"a drawing area that hangs over",
         {FRAME, {0, DRAWING_AREA, NULL, {350, 10, 80, 30}}},
         "350,10 50x30"},
        {"an empty box", {FRAME, {0, HF_ROLE_PANEL, NULL, {10, 10, 120, 60}}}, "10,10 120x60"},
        {"a box that is too small", {FRAME, {0, HF_ROLE_PANEL, NULL, {10, 10, 80, 60}}}, ""},
        {"a box with something in it",
         {FRAME,
          {0, HF_ROLE_PANEL, NULL, {10, 10, 120, 60}},
          {1, HF_ROLE_LABEL, "a", {12, 12, 9, 9}}},
         ""},
        {"with something that does not show",
         {FRAME,
          {0, HF_ROLE_PANEL, NULL, {10, 10, 120, 60}},
          {1, HF_ROLE_LABEL, "a", {12, 12, 9, 9}, HIDDEN}},
         "10,10 120x60"},
        {"one that did not answer what it holds",
         {FRAME, {0, HF_ROLE_PANEL, NULL, {10, 10, 120, 60}, 0, HF_MISSING_CHILDREN}},
         ""},
        {"one that does not show",
         {FRAME, {0, CANVAS, NULL, {10, 10, 120, 60}, HIDDEN}},
         "0,0 400x300"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) tree = tree_of(cases[i].nodes);
        g_autoptr(GArray) blind = hf_ax_coverage_gaps(tree, WINDOW, (HfRect){0, 0, 400, 300});
        g_autoptr(GString) text = g_string_new("");
        for (guint k = 0; k < blind->len; k++) {
            HfRect rect = g_array_index(blind, HfRect, k);
            g_string_append_printf(text, "%s%d,%d %dx%d", k ? " " : "", rect.x, rect.y, rect.width,
                                   rect.height);
        }
        g_test_message("%s", cases[i].name);
        g_assert_cmpstr(text->str, ==, cases[i].blind);
    }
}

/* ---- one tree ---- */

typedef struct JoinCase {
    const char *name;
    Told nodes[5];
    HfDetection seen[4];
    const char *joined; /* role 'name' sources, indented, one a line */
} JoinCase;

#define READ(words, ...)                                                                           \
    {                                                                                              \
        .window = WINDOW, .box = __VA_ARGS__, .role = HF_ROLE_LABEL, .source = HF_SOURCE_OCR,      \
        .text = words, .confidence = 0.9                                                           \
    }
#define SHAPE(is, ...)                                                                             \
    {                                                                                              \
        .window = WINDOW, .box = __VA_ARGS__, .role = is, .source = HF_SOURCE_PIXELS,              \
        .confidence = 0.6, .looks = "5"                                                            \
    }
#define PAGE(is, words, ...)                                                                       \
    {                                                                                              \
        .window = WINDOW, .box = __VA_ARGS__, .role = is, .source = HF_SOURCE_DOM, .text = words,  \
        .dom = "input#a"                                                                           \
    }

static const JoinCase join_cases[] = {
    {"what nobody tells is new",
     {FRAME},
     {READ("Hello", {10, 10, 40, 12})},
     "frame 'Window' ax\n label 'Hello' ocr\n"},
    {"in the innermost box around it",
     {FRAME, {0, HF_ROLE_PANEL, NULL, {0, 0, 200, 200}}},
     {READ("Hello", {10, 10, 40, 12}), READ("Else", {300, 10, 40, 12})},
     "frame 'Window' ax\n panel '' ax\n  label 'Hello' ocr\n label 'Else' ocr\n"},
    {"a window of which nothing is told is made",
     {{0}},
     {READ("Hello", {10, 10, 40, 12})},
     "frame 'Seen' pixels\n label 'Hello' ocr\n"},
    {"a text that is called so is that",
     {FRAME, {0, HF_ROLE_LABEL, "User name:", {8, 8, 80, 16}}},
     {READ("User name", {10, 10, 40, 12})},
     "frame 'Window' ax\n label 'User name:' ax ocr\n"},
    {"elsewhere it is another one",
     {FRAME, {0, HF_ROLE_LABEL, "Hello", {200, 8, 80, 16}}},
     {READ("Hello", {10, 10, 40, 12})},
     "frame 'Window' ax\n label 'Hello' ax\n label 'Hello' ocr\n"},
    {"a text on something nameless is its name",
     {FRAME, {0, HF_ROLE_BUTTON, NULL, {8, 8, 80, 40}}},
     {READ("Save", {10, 10, 40, 12}), READ("all", {10, 30, 40, 12})},
     "frame 'Window' ax\n button 'Save all' ax ocr\n"},
    {"one on something that has a name is not told",
     {FRAME, {0, HF_ROLE_BUTTON, "Save", {8, 8, 80, 40}}},
     {READ("Sove", {10, 10, 40, 12})},
     "frame 'Window' ax\n button 'Save' ax\n"},
    {"what stands in a field neither",
     {FRAME, {0, HF_ROLE_ENTRY, NULL, {8, 8, 80, 40}}},
     {READ("secret", {10, 10, 40, 12})},
     "frame 'Window' ax\n entry '' ax\n"},
    {"a shape where an element is told to be is that",
     {FRAME, {0, HF_ROLE_BUTTON, NULL, {8, 8, 80, 40}}},
     {SHAPE(HF_ROLE_BUTTON, {9, 9, 78, 38})},
     "frame 'Window' ax\n button '' ax pixels\n"},
    {"a drawing there is its text",
     {FRAME, {0, HF_ROLE_LABEL, "Hello", {8, 8, 30, 14}}},
     {SHAPE(HF_ROLE_ICON, {9, 9, 28, 12})},
     "frame 'Window' ax\n label 'Hello' ax\n"},
    {"a symbol on an element is part of it",
     {FRAME, {0, HF_ROLE_BUTTON, "Save", {8, 8, 80, 40}}},
     {SHAPE(HF_ROLE_ICON, {20, 20, 16, 16})},
     "frame 'Window' ax\n button 'Save' ax\n"},
    {"a shape around elements is only a box",
     {FRAME, {0, HF_ROLE_BUTTON, "Save", {8, 8, 40, 30}}},
     {SHAPE(HF_ROLE_BUTTON, {4, 4, 300, 38})},
     "frame 'Window' ax\n button 'Save' ax\n"},
    {"a shape that nobody tells is new",
     {FRAME, {0, HF_ROLE_BUTTON, "Save", {8, 8, 40, 30}}},
     {SHAPE(HF_ROLE_ICON, {100, 8, 16, 16})},
     "frame 'Window' ax\n button 'Save' ax\n icon '' pixels\n"},
    {"what a page says is joined by name",
     {FRAME, {0, HF_ROLE_ENTRY, "Mail", {8, 8, 80, 20}}},
     {PAGE(HF_ROLE_ENTRY, "Mail", {8, 8, 80, 20})},
     "frame 'Window' ax\n entry 'Mail' ax dom <input#a>\n"},
    {"and by place",
     {FRAME, {0, HF_ROLE_ENTRY, NULL, {8, 8, 80, 20}}},
     {PAGE(HF_ROLE_ENTRY, NULL, {9, 9, 78, 18})},
     "frame 'Window' ax\n entry '' ax dom <input#a>\n"},
    {"the button, and not the text on it",
     {FRAME,
      {0, HF_ROLE_BUTTON, "Save", {8, 8, 80, 20}},
      {1, HF_ROLE_STATIC, "Save", {14, 10, 68, 16}}},
     {PAGE(HF_ROLE_BUTTON, "Save", {8, 8, 80, 20})},
     "frame 'Window' ax\n button 'Save' ax dom <input#a>\n  static 'Save' ax\n"},
    {"the inner one of two that are called alike",
     {FRAME,
      {0, HF_ROLE_LIST_ITEM, "Home", {8, 8, 80, 20}},
      {1, HF_ROLE_LINK, "Home", {9, 9, 78, 18}}},
     {PAGE(HF_ROLE_LINK, "Home", {9, 9, 78, 18})},
     "frame 'Window' ax\n list-item 'Home' ax\n  link 'Home' ax dom <input#a>\n"},
    {"one that is told under another role is no second one",
     {FRAME, {0, HF_ROLE_SECTION, "Buy", {8, 8, 80, 20}}},
     {PAGE(HF_ROLE_BUTTON, "Buy", {8, 8, 80, 20})},
     "frame 'Window' ax\n section 'Buy' ax dom <input#a>\n"},
    {"a page knows which fields are secret",
     {FRAME, {0, HF_ROLE_ENTRY, "PIN", {8, 8, 80, 20}}},
     {{.window = WINDOW,
       .box = {8, 8, 80, 20},
       .role = HF_ROLE_ENTRY,
       .source = HF_SOURCE_DOM,
       .text = "PIN",
       .secure = TRUE}},
     "frame 'Window' ax\n entry 'PIN' ax dom secure\n"},
    {"what only a page says is new",
     {FRAME},
     {PAGE(HF_ROLE_BUTTON, "Buy", {8, 8, 80, 20})},
     "frame 'Window' ax\n button 'Buy' dom <input#a>\n"},
};

static void append_sources(GString *text, const HfNode *node)
{
    static const struct {
        HfSource source;
        const char *name;
    } sources[] = {{HF_SOURCE_ACCESS, "ax"},
                   {HF_SOURCE_OCR, "ocr"},
                   {HF_SOURCE_DOM, "dom"},
                   {HF_SOURCE_PIXELS, "pixels"}};
    for (gsize i = 0; i < G_N_ELEMENTS(sources); i++)
        if (node->source & sources[i].source)
            g_string_append_printf(text, " %s", sources[i].name);
    if (node->dom)
        g_string_append_printf(text, " <%s>", node->dom);
    if (node->secure)
        g_string_append(text, " secure");
}

static char *describe(const HfTree *tree)
{
    GString *text = g_string_new("");
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        g_string_append_printf(text, "%*s%s '%s'", node->depth, "", hf_node_role_name(node->role),
                               node->name ? node->name : "");
        append_sources(text, node);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

static void test_join(void)
{
    HfWindow window = {.id = WINDOW, .title = (char *)"Seen", .bounds = {0, 0, 400, 300}};
    g_autoptr(GPtrArray) windows = g_ptr_array_new();
    g_ptr_array_add(windows, &window);
    for (gsize i = 0; i < G_N_ELEMENTS(join_cases); i++) {
        const JoinCase *one = &join_cases[i];
        g_autoptr(HfTree) told = tree_of(one->nodes);
        g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(HfDetection));
        int before = hf_tree_size(told);
        for (gsize k = 0; k < G_N_ELEMENTS(one->seen) && one->seen[k].window; k++)
            g_array_append_val(seen, one->seen[k]);
        g_autoptr(HfTree) tree = hf_tree_merge_detected(told, windows, seen, HF_TRUNCATED_TIME);
        g_autofree char *joined = describe(tree);
        g_test_message("%s", one->name);
        g_assert_cmpstr(joined, ==, one->joined);
        g_assert_cmpint(hf_tree_size(told), ==, before);
        g_assert_true(hf_tree_get_truncated(tree) & HF_TRUNCATED_TIME);
    }
}

/* ---- words of a line ---- */

static void test_phrases(void)
{
    /* "File Edit 打开文件", at 10 pixels a letter and 20 a character. */
    static const HfNodePart parts[] = {
        {0, 4, {100, 50, 40, 12}}, {5, 9, {150, 50, 40, 12}}, {10, 22, {200, 50, 80, 12}}};
    static const struct {
        HfTextOperator how;
        const char *text;
        int left, width; /* 0: all of it, or nowhere */
    } cases[] = {
        {HF_TEXT_LIKE, "File", 100, 40},
        {HF_TEXT_LIKE, "Edit", 150, 40},
        {HF_TEXT_LIKE, "edit", 150, 40},
        {HF_TEXT_LIKE, "File Edit", 100, 90},
        {HF_TEXT_LIKE, "打开文件", 200, 80},
        {HF_TEXT_LIKE, "文件", 240, 40},
        {HF_TEXT_LIKE, "dit", 160, 30},
        {HF_TEXT_LIKE, "View", 0, 0},
        {HF_TEXT_LIKE, "File Edit 打开文件", 0, 0},
        {HF_TEXT_REGEX, "Edit", 0, 0},
    };
    HfNode node = {.name = "File Edit 打开文件",
                   .bounds = {100, 48, 180, 16},
                   .parts = parts,
                   .part_count = G_N_ELEMENTS(parts)};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfTextCondition test = {0};
        g_assert_true(hf_text_condition_init(&test, cases[i].how, cases[i].text, "text", NULL));
        HfRect place = hf_text_span_find(&node, &test);
        hf_text_condition_clear(&test);
        g_test_message("%s", cases[i].text);
        g_assert_cmpint(place.width, ==, cases[i].width);
        if (cases[i].width) {
            g_assert_cmpint(place.x, ==, cases[i].left);
            g_assert_cmpint(place.y, ==, 48);
            g_assert_cmpint(place.height, ==, 16);
        }
    }
    HfTextCondition none = {0};
    g_assert_cmpint(hf_text_span_find(&node, &none).width, ==, 0);
}

/* ---- pictures ---- */

static HfImage *new_picture(int left)
{
    HfImage *image = hf_image_new(200, 100);
    hf_image_fill(image, (HfRect){0, 0, 200, 100}, 0xf0f0f0);
    hf_image_frame(image, (HfRect){left, 20, 120, 30}, 1, 0x808080);
    return image;
}

static void test_sights(void)
{
    hf_picture_shapes_clear_cache();
    g_autoptr(HfImage) image = new_picture(20), same = new_picture(20), other = new_picture(40);
    g_autoptr(HfPictureShapes) first = hf_picture_shapes_new(image);
    g_autoptr(HfPictureShapes) again = hf_picture_shapes_new(same);
    g_autoptr(HfPictureShapes) moved = hf_picture_shapes_new(other);
    g_assert_true(first == again);
    g_assert_true(first != moved);
    g_assert_cmpuint(first->shapes->len, ==, 1);
    g_assert_cmpuint(first->rows->len, ==, 0);
    hf_picture_shapes_clear_cache();
    g_autoptr(HfPictureShapes) anew = hf_picture_shapes_new(image);
    g_assert_true(anew != first);
}

static void test_written(void)
{
    HfLineWord words[] = {{.text = (char *)"Open", .box = {0, 1, 30, 10}},
                          {.text = (char *)"it", .box = {36, 1, 10, 10}}};
    HfLineText text = {.text = (char *)"Open it", .confidence = 0.8};
    text.words = g_array_new(FALSE, FALSE, sizeof(HfLineWord));
    g_array_append_vals(text.words, words, 2);
    HfOcrPageLine line = {.box = {10, 20, 46, 12}, .text = &text};
    g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    hf_ocr_line_add(seen, kept, &line, (HfRect){1000, 500, 200, 100});
    const HfDetection *one = &g_array_index(seen, HfDetection, 0);
    g_assert_cmpstr(one->text, ==, "Open it");
    g_assert_cmpint(one->box.x, ==, 1010);
    g_assert_cmpint(one->box.y, ==, 520);
    g_assert_cmpint(one->part_count, ==, 2);
    g_assert_cmpint(one->parts[1].begin, ==, 5);
    g_assert_cmpint(one->parts[1].end, ==, 7);
    g_assert_cmpint(one->parts[1].bounds.x, ==, 1046);
    g_assert_cmpint(one->parts[1].bounds.y, ==, 521);
    g_array_unref(text.words);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/fusion/told-at", test_told_at);
    g_test_add_func("/fusion/blind", test_blind);
    g_test_add_func("/fusion/join", test_join);
    g_test_add_func("/fusion/phrases", test_phrases);
    g_test_add_func("/fusion/sights", test_sights);
    g_test_add_func("/fusion/written", test_written);
    return g_test_run();
}
