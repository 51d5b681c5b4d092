/* SPDX-License-Identifier: Apache-2.0 */
/* Colours as people call them. */
#include "hand/locate/colours.h"

static const struct {
    guint32 pixel;
    HfColour colour;
} cases[] = {
    {0xe02020, HF_COLOUR_RED},    {0xff0040, HF_COLOUR_RED},    {0xf08020, HF_COLOUR_ORANGE},
    {0xf0d020, HF_COLOUR_YELLOW}, {0x20a040, HF_COLOUR_GREEN},  {0x2060c0, HF_COLOUR_BLUE},
    {0x20c0e0, HF_COLOUR_BLUE},   {0x8030d0, HF_COLOUR_PURPLE}, {0xf060c0, HF_COLOUR_PINK},
    {0x808080, HF_COLOUR_NONE},   {0xffffff, HF_COLOUR_NONE},   {0x000000, HF_COLOUR_NONE},
    {0xfff0f0, HF_COLOUR_NONE},   {0x300000, HF_COLOUR_NONE},
};

static void test_names(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%06x: %s", cases[i].pixel, hf_colour_name(hf_colour_of(cases[i].pixel)));
        g_assert_cmpint(hf_colour_of(cases[i].pixel), ==, cases[i].colour);
    }
}

/* A part of the box has it; what lies outside of the picture counts for nothing. */
static void test_shares(void)
{
    g_autoptr(HfImage) image = hf_image_new(20, 10);
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 20; x++)
            hf_image_row(image, y)[x] = x < 5 ? 0xe02020 : 0xffffff;
    g_assert_cmpfloat(hf_colour_share(image, (HfRect){0, 0, 20, 10}, HF_COLOUR_RED), ==, 0.25);
    g_assert_cmpfloat(hf_colour_share(image, (HfRect){0, 0, 5, 10}, HF_COLOUR_RED), ==, 1);
    g_assert_cmpfloat(hf_colour_share(image, (HfRect){-5, 0, 10, 10}, HF_COLOUR_RED), ==, 1);
    g_assert_cmpfloat(hf_colour_share(image, (HfRect){0, 0, 20, 10}, HF_COLOUR_BLUE), ==, 0);
    g_assert_cmpfloat(hf_colour_share(image, (HfRect){50, 50, 9, 9}, HF_COLOUR_RED), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/colours/names", test_names);
    g_test_add_func("/colours/shares", test_shares);
    return g_test_run();
}
