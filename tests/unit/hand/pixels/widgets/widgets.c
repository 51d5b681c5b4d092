/* SPDX-License-Identifier: Apache-2.0 */
/* Tests widgets.c and framed-widgets.c: each case gives the shapes and texts of a picture, and says
 * which widgets they are. */
#include "hand/pixels/widgets/widgets.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

typedef struct Text {
    const char *text;
    HfRect box;
    double confidence; /* 0: certain */
} Text;

typedef struct Shape {
    HfShapeKind kind;
    HfRect box;
    gboolean marked, coloured;
} Shape;

typedef struct Case {
    const char *name;
    Text texts[6];
    Shape shapes[6];
    HfRect unread[2];
    const char *found; /* role 'name' (label) x,y wxh states sources, one a line */
} Case;

static const Case cases[] = {
    {"a text is a label", {{"Hello", {10, 10, 40, 11}}}, {{0}}, {{0}}, "label 'Hello' 10,10 o\n"},
    {"a text in the middle of a frame is a button",
     {{"Save", {40, 20, 30, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 90, 30}, TRUE}},
     {{0}},
     "button 'Save' 10,10 op\n"},
    {"of two lines",
     {{"Save", {40, 14, 30, 11}}, {"all", {44, 28, 22, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 90, 34}, TRUE}},
     {{0}},
     "button 'Save all' 10,10 op\n"},
    {"what is drawn on a button is part of it",
     {{"Save", {40, 20, 30, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 90, 30}, TRUE}, {HF_SHAPE_ICON, {16, 18, 14, 14}}},
     {{0}},
     "button 'Save' 10,10 op\n"},
    {"an empty frame is a field, with the label on its left",
     {{"User name", {10, 20, 70, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}}},
     {{0}},
     "label 'User name' 10,20 o\nentry '' (User name) 100,10 p\n"},
    {"or above it",
     {{"User name", {10, 20, 70, 11}}},
     {{HF_SHAPE_FRAME, {10, 36, 200, 30}}},
     {{0}},
     "label 'User name' 10,20 o\nentry '' (User name) 10,36 p\n"},
    {"each field has the label that is nearest",
     {{"Name", {10, 20, 40, 11}}, {"City", {10, 60, 40, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}}, {HF_SHAPE_FRAME, {100, 50, 200, 30}}},
     {{0}},
     "label 'Name' 10,20 o\nentry '' (Name) 100,10 p\nlabel 'City' 10,60 o\n"
     "entry '' (City) 100,50 p\n"},
    {"what stands in a labelled field stays a text",
     {{"Name", {10, 20, 40, 11}}, {"Anna", {108, 20, 30, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}, TRUE}},
     {{0}},
     "label 'Name' 10,20 o\nentry '' (Name) 100,10 p\nlabel 'Anna' 108,20 o\n"},
    {"and names one without a label",
     {{"Search", {108, 20, 40, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}, TRUE}},
     {{0}},
     "entry 'Search' 100,10 op\n"},
    {"what stands in one field is not the label of the next",
     {{"Anna", {108, 20, 30, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}, TRUE}, {HF_SHAPE_FRAME, {100, 50, 200, 30}}},
     {{0}},
     "entry 'Anna' 100,10 op\nentry '' 100,50 p\n"},
    {"a sign is no label",
     {{"x", {110, 8, 14, 14}}, {"Search", {108, 38, 40, 11}}},
     {{HF_SHAPE_ICON, {110, 8, 14, 14}}, {HF_SHAPE_FRAME, {100, 28, 200, 30}, TRUE}},
     {{0}},
     "icon 'x' 110,8 op\nentry 'Search' 100,28 op\n"},
    {"what is far above is no label",
     {{"Sat", {110, 8, 30, 11}}, {"Mine", {108, 78, 40, 11}}},
     {{HF_SHAPE_FRAME, {100, 68, 200, 30}, TRUE}},
     {{0}},
     "label 'Sat' 110,8 o\nentry 'Mine' 100,68 op\n"},
    {"room for lines of text, with what to write there",
     {{"Your message", {10, 8, 90, 11}}, {"Write here", {16, 32, 70, 11}}},
     {{HF_SHAPE_AREA, {10, 26, 300, 120}}},
     {{0}},
     "label 'Your message' 10,8 o\ntext '' (Your message) 10,26 p\nlabel 'Write here' 16,32 o\n"},
    {"without a label",
     {{"Write here", {16, 32, 70, 11}}},
     {{HF_SHAPE_AREA, {10, 26, 300, 120}}},
     {{0}},
     "text '' (Write here) 10,26 p\nlabel 'Write here' 16,32 o\n"},
    {"several lines may be a list, and drawings make it a panel",
     {{"one", {16, 32, 70, 11}}, {"two", {16, 52, 70, 11}}},
     {{HF_SHAPE_AREA, {10, 26, 300, 120}},
      {HF_SHAPE_AREA, {400, 26, 300, 120}},
      {HF_SHAPE_ICON, {420, 40, 20, 20}},
      {HF_SHAPE_ICON, {460, 40, 20, 20}}},
     {{0}},
     "label 'one' 16,32 o\nlabel 'two' 16,52 o\nicon '' 420,40 p\nicon '' 460,40 p\n"},
    {"an arrow at its end makes it a list",
     {{"China", {108, 20, 36, 11}}},
     {{HF_SHAPE_FRAME, {100, 10, 200, 30}, TRUE}, {HF_SHAPE_ICON, {280, 21, 12, 7}}},
     {{0}},
     "combo-box 'China' 100,10 op\n"},
    {"a word is no arrow",
     {{"Save all", {30, 20, 50, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 90, 30}, TRUE}, {HF_SHAPE_ICON, {66, 20, 14, 11}}},
     {{0}},
     "button 'Save all' 10,10 op\n"},
    {"a coloured one with its text on the left is chosen",
     {{"Albums", {22, 20, 50, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 170, 30}, TRUE, TRUE}},
     {{0}},
     "list-item 'Albums' 10,10 selected op\n"},
    {"a frame around several things is none",
     {{"page 1", {20, 20, 40, 11}}, {"page 2", {120, 20, 40, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 300, 30}, TRUE}},
     {{0}},
     "label 'page 1' 20,20 o\nlabel 'page 2' 120,20 o\n"},
    {"a box takes the text on its right",
     {{"Remember me", {40, 12, 90, 11}}},
     {{HF_SHAPE_BOX, {10, 10, 16, 16}}},
     {{0}},
     "check-box 'Remember me' 10,10 op\n"},
    {"a marked one is checked, and its mark no letter",
     {{"v", {13, 13, 8, 8}}, {"Remember me", {40, 12, 90, 11}}},
     {{HF_SHAPE_BOX, {10, 10, 16, 16}, TRUE}},
     {{0}},
     "check-box 'Remember me' 10,10 checked op\n"},
    {"a text further away is another thing",
     {{"Remember me", {90, 12, 90, 11}}},
     {{HF_SHAPE_BOX, {10, 10, 16, 16}}},
     {{0}},
     "check-box '' 10,10 p\nlabel 'Remember me' 90,12 o\n"},
    {"circles with texts are to choose from, others are knobs",
     {{"Man", {32, 12, 24, 11}}},
     {{HF_SHAPE_CIRCLE, {10, 10, 16, 16}, TRUE}, {HF_SHAPE_CIRCLE, {200, 10, 16, 16}}},
     {{0}},
     "radio-button 'Man' 10,10 checked op\nicon '' 200,10 p\n"},
    {"a drawing that was read is a word",
     {{"OK", {10, 10, 20, 12}}},
     {{HF_SHAPE_ICON, {10, 10, 20, 12}}},
     {{0}},
     "label 'OK' 10,10 o\n"},
    {"also words in several rows",
     {{"4096", {10, 10, 30, 9}}, {"4096", {10, 22, 30, 9}}},
     {{HF_SHAPE_ICON, {10, 10, 30, 21}}},
     {{0}},
     "label '4096' 10,10 o\nlabel '4096' 10,22 o\n"},
    {"what was read without letters is a sign",
     {{"=", {10, 10, 16, 14}}},
     {{HF_SHAPE_ICON, {10, 10, 16, 14}}},
     {{0}},
     "icon '' 10,10 p\n"},
    {"and so is what is doubtful",
     {{"人面 党", {10, 10, 66, 20}, 0.32}},
     {{HF_SHAPE_ICON, {10, 10, 18, 20}}, {HF_SHAPE_ICON, {56, 10, 20, 20}}},
     {{0}},
     "icon '' 10,10 p\nicon '' 56,10 p\n"},
    {"a large letter by itself is a sign that is called so",
     {{"x", {10, 10, 14, 14}}},
     {{HF_SHAPE_ICON, {10, 10, 14, 14}}},
     {{0}},
     "icon 'x' 10,10 op\n"},
    {"a figure or a character is a text",
     {{"7", {10, 10, 10, 14}}, {"女", {60, 10, 14, 14}}},
     {{HF_SHAPE_ICON, {10, 10, 10, 14}}, {HF_SHAPE_ICON, {60, 10, 14, 14}}},
     {{0}},
     "label '7' 10,10 o\nlabel '女' 60,10 o\n"},
    {"nothing is known of what nobody has read",
     {{0}},
     {{HF_SHAPE_ICON, {10, 10, 20, 12}}, {HF_SHAPE_FRAME, {100, 10, 90, 30}, TRUE}},
     {{8, 8, 40, 16}, {120, 16, 40, 12}},
     ""},
    {"buttons with symbols, and icons",
     {{0}},
     {{HF_SHAPE_BUTTON, {10, 10, 32, 32}, TRUE},
      {HF_SHAPE_BUTTON, {60, 10, 32, 32}},
      {HF_SHAPE_ICON, {110, 16, 16, 16}}},
     {{0}},
     "button '' 10,10 p\nicon '' 110,16 p\n"},
    {"a symbol in the middle of a frame makes it a button, one at its end does not",
     {{0}},
     {{HF_SHAPE_FRAME, {10, 10, 90, 30}},
      {HF_SHAPE_ICON, {47, 17, 16, 16}},
      {HF_SHAPE_FRAME, {200, 10, 200, 30}},
      {HF_SHAPE_ICON, {370, 16, 18, 18}}},
     {{0}},
     "button '' 10,10 p\nentry '' 200,10 p\nicon '' 370,16 p\n"},
    {"a switch is for what stands at the other end of its row, and that is no label of a field",
     {{"Remind me", {10, 14, 60, 11}}, {"New task", {16, 50, 50, 11}}},
     {{HF_SHAPE_SWITCH, {500, 10, 40, 20}, TRUE}, {HF_SHAPE_FRAME, {10, 40, 300, 30}, TRUE}},
     {{0}},
     "label 'Remind me' 10,14 o\nswitch '' (Remind me) 500,10 checked p\n"
     "entry 'New task' 10,40 op\n"},
    {"or for what stands right behind it",
     {{"Left", {10, 14, 30, 11}}, {"Sound", {150, 14, 40, 11}}},
     {{HF_SHAPE_SWITCH, {100, 10, 40, 20}}},
     {{0}},
     "label 'Left' 10,14 o\nswitch '' (Sound) 100,10 p\nlabel 'Sound' 150,14 o\n"},
    {"a slider, and its knob that was read",
     {{"Volume", {10, 14, 50, 11}}, {"o", {150, 12, 14, 14}}},
     {{HF_SHAPE_SLIDER, {100, 12, 150, 14}}},
     {{0}},
     "label 'Volume' 10,14 o\nslider '' (Volume) 100,12 p\n"},
    {"a frame around a text and a switch is none",
     {{"Bluetooth", {20, 20, 60, 11}}},
     {{HF_SHAPE_FRAME, {10, 10, 400, 34}, TRUE}, {HF_SHAPE_SWITCH, {350, 16, 40, 20}}},
     {{0}},
     "label 'Bluetooth' 20,20 o\nswitch '' (Bluetooth) 350,16 p\n"},
    {"the ground right behind a text is that of a chosen entry",
     {{"Open", {12, 12, 40, 12}}},
     {{HF_SHAPE_FRAME, {10, 10, 200, 16}, TRUE}},
     {{0}},
     "list-item 'Open' 10,10 selected op\n"},
    {"in each row from left to right",
     {{"City", {10, 58, 40, 11}}, {"Name", {10, 20, 40, 11}}, {"Anna", {200, 14, 40, 11}}},
     {{HF_SHAPE_BOX, {100, 12, 16, 16}}},
     {{0}},
     "label 'Name' 10,20 o\ncheck-box '' 100,12 p\nlabel 'Anna' 200,14 o\nlabel 'City' 10,58 o\n"},
};

static GArray *texts_of(const Case *one)
{
    GArray *texts = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    for (const Text *text = one->texts; text->text; text++) {
        HfDetection seen = {.box = text->box,
                            .role = HF_ROLE_LABEL,
                            .source = HF_SOURCE_OCR,
                            .text = text->text,
                            .confidence = text->confidence > 0 ? text->confidence : 0.95};
        g_array_append_val(texts, seen);
    }
    return texts;
}

static GArray *shapes_of(const Case *one)
{
    GArray *shapes = g_array_new(FALSE, FALSE, sizeof(HfShape));
    for (const Shape *shape = one->shapes; shape->box.width; shape++) {
        HfShape made = {.box = shape->box,
                        .kind = shape->kind,
                        .marked = shape->marked,
                        .coloured = shape->coloured,
                        .confidence = 0.6,
                        .looks = 5};
        g_array_append_val(shapes, made);
    }
    return shapes;
}

static char *describe(const GArray *seen)
{
    GString *text = g_string_new("");
    for (guint i = 0; i < seen->len; i++) {
        const HfDetection *one = &g_array_index(seen, HfDetection, i);
        g_string_append_printf(text, "%s '%s'", hf_node_role_name(one->role),
                               one->text ? one->text : "");
        if (one->label)
            g_string_append_printf(text, " (%s)", one->label);
        g_string_append_printf(text, " %d,%d%s%s ", one->box.x, one->box.y,
                               hf_states_have(one->states, HF_STATE_CHECKED) ? " checked" : "",
                               hf_states_have(one->states, HF_STATE_SELECTED) ? " selected" : "");
        g_string_append_printf(text, "%s%s\n", one->source & HF_SOURCE_OCR ? "o" : "",
                               one->source & HF_SOURCE_PIXELS ? "p" : "");
        g_assert_true(!one->looks == !(one->source & HF_SOURCE_PIXELS));
    }
    return g_string_free(text, FALSE);
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) texts = texts_of(&cases[i]), shapes = shapes_of(&cases[i]);
        g_autoptr(GArray) unread = g_array_new(FALSE, FALSE, sizeof(HfRect));
        for (int k = 0; k < 2 && cases[i].unread[k].width; k++)
            g_array_append_val(unread, cases[i].unread[k]);
        g_auto(HfWidgets) things = {0};
        hf_widgets_init(&things, texts, shapes, unread);
        g_autofree char *found = describe(things.detected);
        g_test_message("%s", cases[i].name);
        g_assert_cmpstr(found, ==, cases[i].found);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/things/cases", test_cases);
    return g_test_run();
}
