/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of shared/image/vision-tokens.c. The numbers are worked out by hand from the makers' own
 * rules and examples; those marked with their source are theirs. */
#include "shared/image/vision-tokens.h"

static const struct {
    HfSize size;
    int tokens[HF_VISION_MODEL_COUNT]; /* anthropic, standard, openai, openai_tiles, ui_tars */
} cases[] = {
    /* 36.57, so 37 x 37 cells. 32 x 32 patches x 1.2 = 1,228.8 (OpenAI's
     * example). To 768 x 768: 4 tiles, 85 + 4 x 170 = 765 (OpenAI's example). */
    {{1024, 1024}, {1369, 1369, 1229, 765, 1369}},
    /* 69 x 39 (the sheet's check), and as 1456 x 819 (the sheet's check) 52 x 30. 60 x 34 x 1.2. As
     * 1365 x 768: 3 x 2 tiles. 68.57 and 38.57: 69 x 39. */
    {{1920, 1080}, {2691, 1560, 2448, 1105, 2691}},
    /* The sheet's check: 49 x 28. 43 x 24 x 1.2 = 1,238.4. 3 x 2 tiles, 768 is not too high. 48.79
     * and 27.43: 49 x 27. */
    {{1366, 768}, {1372, 1372, 1239, 1105, 1323}},
    /* The sheet's check: as 2576 x 1449, 92 x 52, and as 1456 x 819. 120 x 68 x 1.2. As 2048 x 1152
     * and then 1365 x 768. 137.14 and 77.14: 137 x 77. */
    {{3840, 2160}, {4784, 1560, 9792, 1105, 10549}},
    /* The sheet's vectors: as 2420 x 1512, 87 x 54, and as 1389 x 868, 50 x 31. 80 x 50 x 1.2. As
     * 2048 x 1280 and 1228 x 768: 3 x 2. 91.43 and 57.14: 91 x 57. */
    {{2560, 1600}, {4698, 1550, 4800, 1105, 5187}},
    /* The sheet's vector: as 924 x 1307, 33 x 47, in the older tier; 39 x 55 in the newer one. 34 x
     * 48 x 1.2 = 1,958.4. As 768 x 1085: 2 x 3. 38.39 and 54.29: 38 x 54. */
    {{1075, 1520}, {2145, 1551, 1959, 1105, 2052}},
    /* Halves go to the even: 1522 / 28 = 54.36, 1022 / 28 = 36.5, so 54 x 36 (the sheet's check).
     * 55 x 37 cells; in the older tier as 1335 x 896, 48 x 32, since 1336 x 897 has 48 x 33. 48 x
     * 32 x 1.2 = 1,843.2. As 1143 x 768: 3 x 2. */
    {{1522, 1022}, {2035, 1536, 1844, 1105, 1944}},
    /* OpenAI's example: 2 x 3 tiles. As 1288 x 2576, 46 x 92, and 784 x 1568, 28 x 56. 64 x 128 x
     * 1.2 = 9,830.4. 73.14 and 146.29: 73 x 146. */
    {{2048, 4096}, {4232, 1568, 9831, 1105, 10658}},
    /* Too many patches: 157 x 157; the scale is sqrt(1024 x 10,000 / 25,000,000) = 0.64, so 3200 x
     * 3200, 100 x 100 x 1.2. 69 x 69 and 39 x 39. 768 x 768. 179 x 179 = 32,041 cells are too
     * many; 3584 x 3584 pixels would be 128 x 128, but for the arithmetic: 127.999. */
    {{5000, 5000}, {4761, 1521, 12000, 765, 16129}},
    /* One cell, one patch (1.2, so 2), one tile. Too few: sqrt(100 x 784 / 1) = 280, ten cells
     * each.
     */
    {{1, 1}, {1, 1, 2, 255, 100}},
    {{28, 28}, {1, 1, 2, 255, 100}},
    {{29, 28}, {2, 2, 2, 255, 110}},
    /* 4 x 4 patches x 1.2 = 19.2. 3.57: 4 x 4 cells are too few, by sqrt(78,400 / 10,000) = 2.8. */
    {{100, 100}, {16, 16, 20, 255, 100}},
    /* 512 is one tile, 513 are two. 17 x 16 x 1.2 = 326.4. */
    {{512, 512}, {361, 361, 308, 255, 324}},
    {{513, 512}, {361, 361, 327, 425, 324}},
    /* Long: as 6000 x 50, 188 x 2 x 1.2 = 451.2. As 2576 x 21, 92 x 1; 1568 x 13, 56 x 1. As 2048 x
     * 17, 4 x 1. 428.57 and 3.57: 429 x 4. */
    {{12000, 100}, {92, 56, 452, 765, 1716}},
};

static void test_costs(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        for (HfVisionModel model = 0; model < HF_VISION_MODEL_COUNT; model++) {
            int tokens = hf_vision_tokens(model, cases[i].size);
            g_test_message("%d x %d, %s: %d", cases[i].size.width, cases[i].size.height,
                           hf_vision_models[model], tokens);
            g_assert_cmpint(tokens, ==, cases[i].tokens[model]);
        }
}

static const struct {
    HfVisionModel model;
    HfSize size;
    int most;
    HfSize fitting; /* 0 x 0: none */
} fits[] = {
    {HF_VISION_ANTHROPIC_STANDARD, {1920, 1080}, 1568, {1456, 819}}, /* the sheet's check */
    {HF_VISION_ANTHROPIC_STANDARD, {3840, 2160}, 1568, {1456, 819}}, /* the sheet's check */
    {HF_VISION_ANTHROPIC_STANDARD, {1075, 1520}, 1568, {924, 1307}}, /* the sheet's check */
    {HF_VISION_ANTHROPIC_STANDARD, {2560, 1600}, 1568, {1389, 868}}, /* the sheet's vector */
    {HF_VISION_ANTHROPIC_STANDARD, {1366, 768}, 1568, {1366, 768}},  /* the sheet's vector */
    {HF_VISION_ANTHROPIC, {3840, 2160}, 4784, {2576, 1449}},         /* the sheet's check */
    {HF_VISION_ANTHROPIC, {2560, 1600}, 4784, {2420, 1512}},         /* the sheet's vector */
    {HF_VISION_ANTHROPIC, {1920, 1080}, 100000, {1920, 1080}},
    /* 1008 x 567 is 36 x 21 cells, 756; from 1009 on it is 37 x 21. */
    {HF_VISION_ANTHROPIC, {1920, 1080}, 776, {1008, 567}},
    {HF_VISION_ANTHROPIC, {1920, 1080}, 1, {28, 16}},
    {HF_VISION_ANTHROPIC, {16, 900}, 3, {1, 84}},
    /* 2 x 1 patches are 2.4 tokens, 1 is 1.2. */
    {HF_VISION_OPENAI, {1920, 1080}, 3, {57, 32}},
    {HF_VISION_OPENAI, {1920, 1080}, 2, {32, 18}},
    {HF_VISION_OPENAI, {1920, 1080}, 1, {0, 0}},
    {HF_VISION_OPENAI, {5000, 5000}, 100000, {3200, 3200}},
    /* 3 x 2 tiles of what is at most 768 high; then 2 x 2 while it is above 512 high; 2 x 1; 1. */
    {HF_VISION_OPENAI_TILES, {1920, 1080}, 1105, {1366, 768}},
    {HF_VISION_OPENAI_TILES, {1920, 1080}, 1104, {1024, 576}},
    {HF_VISION_OPENAI_TILES, {1920, 1080}, 764, {911, 512}},
    {HF_VISION_OPENAI_TILES, {1920, 1080}, 255, {512, 288}},
    {HF_VISION_OPENAI_TILES, {1920, 1080}, 254, {0, 0}},
    {HF_VISION_UI_TARS, {1920, 1080}, 99, {0, 0}},
};

static void test_fitting(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(fits); i++) {
        HfSize fitting = {0, 0};
        gboolean found = hf_vision_fit(fits[i].model, fits[i].size, fits[i].most, &fitting);
        g_test_message("%s, %d x %d in %d: %d x %d", hf_vision_models[fits[i].model],
                       fits[i].size.width, fits[i].size.height, fits[i].most, fitting.width,
                       fitting.height);
        g_assert_cmpint(found, ==, fits[i].fitting.width > 0);
        g_assert_cmpint(fitting.width, ==, fits[i].fitting.width);
        g_assert_cmpint(fitting.height, ==, fits[i].fitting.height);
    }
}

/* Whatever the size and the budget: it is kept, and nothing is larger than it was. */
static void test_many(void)
{
    g_autoptr(GRand) dice = g_rand_new_with_seed(5);
    for (int i = 0; i < 3000; i++) {
        HfVisionModel model = (HfVisionModel)g_rand_int_range(dice, 0, HF_VISION_MODEL_COUNT);
        HfSize size = {g_rand_int_range(dice, 1, 5000), g_rand_int_range(dice, 1, 5000)}, fitting;
        int most = g_rand_int_range(dice, 1, 3000);
        g_assert_cmpint(hf_vision_tokens(model, size), >, 0);
        if (!hf_vision_fit(model, size, most, &fitting)) {
            g_assert_cmpint(most, <, hf_vision_tokens(model, (HfSize){1, 1}));
            continue;
        }
        g_assert_cmpint(hf_vision_tokens(model, fitting), <=, most);
        g_assert_cmpint(fitting.width, <=, size.width);
        g_assert_cmpint(fitting.height, <=, size.height);
    }
}

static void test_names(void)
{
    for (HfVisionModel model = 0; model < HF_VISION_MODEL_COUNT; model++)
        g_assert_cmpint(hf_vision_model_find(hf_vision_models[model]), ==, model);
    g_assert_cmpint(hf_vision_model_find("nobody"), ==, HF_VISION_MODEL_COUNT);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/vision-tokens/costs", test_costs);
    g_test_add_func("/vision-tokens/fitting", test_fitting);
    g_test_add_func("/vision-tokens/many", test_many);
    g_test_add_func("/vision-tokens/names", test_names);
    return g_test_run();
}
