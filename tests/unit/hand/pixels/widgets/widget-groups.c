/* SPDX-License-Identifier: Apache-2.0 */
/* Tests widget-groups.c and column-groups.c: each case places widgets, on a background where that
 * matters, and says which group each is in. */
#include "hand/pixels/widgets/widget-groups.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/image/draw.h"

#define WIDTH  600
#define HEIGHT 400
#define GROUND 0xf0f0f0u
#define BLUE   0x2060d0u
#define INK    0x202020u

typedef struct Thing {
    const char *text; /* of a label or button; "": it has none */
    int role;
    HfRect box;
    guint64 states;
} Thing;

typedef struct Case {
    const char *name;
    Thing things[16];
    HfRect panels[3];
    struct {
        HfRect box;
        guint32 colour;
    } fills[4];
    const char *found; /* holders with what is in them, each with its name or place */
} Case;

#define CHOSEN HF_STATE(HF_STATE_SELECTED)

static const Case cases[] = {
    {"one thing is no group", {{"Hello", HF_ROLE_LABEL, {10, 10, 40, 12}}}, {{0}}, {{{0}}}, ""},
    {"boxes and bins that keep step are rows",
     {{"", HF_ROLE_CHECK_BOX, {10, 20, 16, 16}},
      {"", HF_ROLE_ICON, {400, 20, 18, 18}},
      {"", HF_ROLE_CHECK_BOX, {10, 60, 16, 16}},
      {"", HF_ROLE_ICON, {400, 60, 18, 18}},
      {"", HF_ROLE_CHECK_BOX, {10, 100, 16, 16}},
      {"", HF_ROLE_ICON, {400, 100, 18, 18}}},
     {{0}},
     {{{0}}},
     "table 10,8\n table-row 10,9: check-box 10,20 icon 400,20\n"
     " table-row 10,49: check-box 10,60 icon 400,60\n"
     " table-row 10,89: check-box 10,100 icon 400,100\n"},
    {"a title that is not quite in step is above them",
     {{"Layers", HF_ROLE_LABEL, {10, 24, 60, 14}},
      {"Sky", HF_ROLE_LABEL, {12, 62, 30, 12}},
      {"", HF_ROLE_ICON, {200, 60, 18, 18}},
      {"Hills", HF_ROLE_LABEL, {12, 102, 30, 12}},
      {"", HF_ROLE_ICON, {200, 100, 18, 18}},
      {"Tree", HF_ROLE_LABEL, {12, 142, 30, 12}},
      {"", HF_ROLE_ICON, {200, 140, 18, 18}}},
     {{0}},
     {{{0}}},
     "table 10,24\n table-row 10,50: Sky icon 200,60\n table-row 10,90: Hills icon 200,100\n"
     " table-row 10,130: Tree icon 200,140\n"},
    {"lines of a text are none",
     {{"one", HF_ROLE_LABEL, {10, 20, 200, 12}},
      {"two", HF_ROLE_LABEL, {10, 40, 200, 12}},
      {"three", HF_ROLE_LABEL, {10, 60, 200, 12}}},
     {{0}},
     {{{0}}},
     ""},
    {"icons side by side are a bar, on the ground that they share",
     {{"", HF_ROLE_ICON, {20, 10, 18, 18}},
      {"", HF_ROLE_CHECK_BOX, {60, 10, 18, 18}, HF_STATE(HF_STATE_CHECKED)},
      {"", HF_ROLE_ICON, {100, 10, 18, 18}},
      {"", HF_ROLE_ICON, {560, 10, 18, 18}},
      {"Below", HF_ROLE_LABEL, {20, 80, 40, 12}}},
     {{0}},
     {{{0, 0, WIDTH, 40}, 0xc0c0c8}},
     "tool-bar 0,0: icon 20,10 icon 60,10 icon 100,10 icon 560,10\n"},
    {"or below each other, also where one was read as a letter",
     {{"", HF_ROLE_ICON, {20, 60, 18, 18}},
      {"已", HF_ROLE_LABEL, {20, 100, 18, 18}},
      {"", HF_ROLE_ICON, {20, 140, 18, 18}}},
     {{0}},
     {{{10, 40, 40, 360}, 0xc0c0c8}},
     "tool-bar 10,40: icon 20,60 icon 20,100 icon 20,140\n"},
    {"two are none",
     {{"", HF_ROLE_ICON, {20, 10, 18, 18}}, {"", HF_ROLE_ICON, {60, 10, 18, 18}}},
     {{0}},
     {{{0}}},
     ""},
    {"nor are digits between arrows",
     {{"", HF_ROLE_ICON, {20, 10, 12, 18}},
      {"1", HF_ROLE_LABEL, {40, 10, 12, 14}},
      {"2", HF_ROLE_LABEL, {60, 10, 12, 14}},
      {"", HF_ROLE_ICON, {80, 10, 12, 18}}},
     {{0}},
     {{{0}}},
     ""},
    {"one underlined text makes tabs of all",
     {{"Day", HF_ROLE_LABEL, {20, 20, 30, 12}},
      {"Week", HF_ROLE_LABEL, {90, 20, 30, 12}},
      {"Month", HF_ROLE_LABEL, {160, 20, 40, 12}}},
     {{0}},
     {{{80, 38, 50, 3}, BLUE}},
     "page-tab-list 20,20: Day Week* Month\n"},
    {"a line below all of them does not",
     {{"Day", HF_ROLE_LABEL, {20, 20, 30, 12}}, {"Week", HF_ROLE_LABEL, {90, 20, 30, 12}}},
     {{0}},
     {{{0, 38, WIDTH, 3}, BLUE}},
     ""},
    {"cards keep what is in them apart",
     {{"Soup", HF_ROLE_LABEL, {30, 60, 40, 12}},
      {"", HF_ROLE_ICON, {30, 90, 18, 18}},
      {"Rice", HF_ROLE_LABEL, {230, 60, 40, 12}},
      {"", HF_ROLE_ICON, {230, 90, 18, 18}}},
     {{20, 50, 170, 90}, {220, 50, 170, 90}},
     {{{0}}},
     "panel 20,50: Soup icon 30,90\npanel 220,50: Rice icon 230,90\n"},
    {"entries above and below a chosen one are a list",
     {{"New", HF_ROLE_LABEL, {30, 20, 40, 12}},
      {"Open", HF_ROLE_LIST_ITEM, {28, 38, 150, 18}, CHOSEN},
      {"Quit", HF_ROLE_LABEL, {30, 60, 40, 12}}},
     {{0}},
     {{{28, 38, 150, 18}, BLUE}},
     "list 28,20: New Open* Quit\n"},
    {"so are texts one of which has a ground of its own",
     {{"New", HF_ROLE_LABEL, {30, 20, 40, 12}},
      {"Open", HF_ROLE_LABEL, {30, 40, 40, 12}},
      {"Quit", HF_ROLE_LABEL, {30, 60, 40, 12}}},
     {{0}},
     {{{28, 58, 60, 16}, BLUE}},
     "list 30,20: New Open Quit*\n"},
    {"pages, one of which could not be read",
     {{"1", HF_ROLE_BUTTON, {20, 20, 30, 30}},
      {"", HF_ROLE_BUTTON, {60, 20, 30, 30}},
      {"3", HF_ROLE_BUTTON, {100, 20, 30, 30}}},
     {{0}},
     {{{60, 20, 30, 30}, BLUE}},
     "2* (page 2)\n"},
};

static HfImage *picture_of(const Case *one)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    hf_image_fill(image, (HfRect){0, 0, WIDTH, HEIGHT}, GROUND);
    for (int i = 0; i < 4 && one->fills[i].box.width; i++)
        hf_image_fill(image, one->fills[i].box, one->fills[i].colour);
    return image;
}

static void things_of(const Case *one, HfWidgets *things)
{
    *things = (HfWidgets){g_array_new(FALSE, FALSE, sizeof(HfDetection)),
                          g_ptr_array_new_with_free_func(g_free),
                          g_array_new(FALSE, FALSE, sizeof(HfRect))};
    for (const Thing *thing = one->things; thing->role; thing++) {
        HfDetection seen = {.box = thing->box,
                            .role = thing->role,
                            .states = thing->states,
                            .source = *thing->text ? HF_SOURCE_OCR : HF_SOURCE_PIXELS,
                            .text = *thing->text ? thing->text : NULL,
                            .confidence = 0.9};
        if (thing->role == HF_ROLE_BUTTON)
            seen.source |= HF_SOURCE_PIXELS;
        g_array_append_val(things->detected, seen);
    }
    for (int i = 0; i < 3 && one->panels[i].width; i++)
        g_array_append_val(things->panels, one->panels[i]);
}

static void describe_one(GString *text, const HfDetection *seen)
{
    if (seen->text)
        g_string_append(text, seen->text);
    else
        g_string_append_printf(text, "%s %d,%d", hf_node_role_name(seen->role), seen->box.x,
                               seen->box.y);
    if (seen->states & CHOSEN)
        g_string_append_c(text, '*');
}

static void describe_holder(GString *text, const GArray *all, guint index, int depth)
{
    g_string_append_printf(text, "%*s", depth, "");
    describe_one(text, &g_array_index(all, HfDetection, index));
    gboolean first = TRUE;
    for (guint i = 0; i < all->len; i++) {
        const HfDetection *seen = &g_array_index(all, HfDetection, i);
        if (seen->holder != (int)index + 1 || seen->holds)
            continue;
        g_string_append(text, first ? ": " : " ");
        describe_one(text, seen);
        first = FALSE;
    }
    g_string_append_c(text, '\n');
    for (guint i = 0; i < all->len; i++)
        if (g_array_index(all, HfDetection, i).holds &&
            g_array_index(all, HfDetection, i).holder == (int)index + 1)
            describe_holder(text, all, i, depth + 1);
}

static char *describe(const GArray *all)
{
    GString *text = g_string_new("");
    for (guint i = 0; i < all->len; i++) {
        const HfDetection *seen = &g_array_index(all, HfDetection, i);
        g_assert_cmpint(seen->holder, <=, (int)all->len);
        if (seen->holds && !seen->holder)
            describe_holder(text, all, i, 0);
        else if (seen->label && seen->states & CHOSEN)
            g_string_append_printf(text, "%s* (%s)\n", seen->text, seen->label);
    }
    return g_string_free(text, FALSE);
}

static void test_cases(void)
{
    HfRect all = {0, 0, WIDTH, HEIGHT};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = picture_of(&cases[i]);
        g_auto(HfWidgets) things = {0};
        things_of(&cases[i], &things);
        hf_widget_groups_find(&things, image, all, all);
        g_autofree char *found = describe(things.detected);
        g_test_message("%s", cases[i].name);
        g_assert_cmpstr(found, ==, cases[i].found);
    }
}

/* Without a picture places alone decide, and nothing is looked at. */
static void test_without_picture(void)
{
    HfRect all = {0, 0, WIDTH, HEIGHT};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(HfWidgets) things = {0};
        things_of(&cases[i], &things);
        hf_widget_groups_find(&things, NULL, all, all);
        g_assert_cmpuint(things.detected->len, >, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/groups/cases", test_cases);
    g_test_add_func("/groups/without-picture", test_without_picture);
    return g_test_run();
}
