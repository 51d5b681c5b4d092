/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a desktop: what a stage accepts, completes and refuses. */
#include "shared/wire/stage-protocol.h"

#include "shared/base/error.h"

static const HfStageOptions plain = {.name = "v1", .id = "abc", .runtime_dir = "/run/user/1"};

static void test_round_trip(void)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = {.kind = HF_STAGE_VIRTUAL,
                              .name = "v1",
                              .id = "abc",
                              .runtime_dir = "/run",
                              .directory = "/run/v1",
                              .display_number = 7,
                              .width = 800,
                              .height = 600,
                              .scale = 1.25,
                              .depth = 30,
                              .own_home = TRUE,
                              .proxy = TRUE,
                              .opengl = TRUE};
    g_autoptr(json_t) json = hf_stage_options_to_json(&options);
    g_assert_nonnull(json);
    HfStageOptions got;
    g_assert_true(hf_stage_options_from_json(json, &got, &error));
    g_assert_cmpint(got.kind, ==, HF_STAGE_VIRTUAL);
    g_assert_cmpstr(got.name, ==, "v1");
    g_assert_cmpstr(got.id, ==, "abc");
    g_assert_cmpstr(got.directory, ==, "/run/v1");
    g_assert_cmpint(got.display_number, ==, 7);
    g_assert_cmpstr(got.runtime_dir, ==, "/run");
    g_assert_null(got.display);
    g_assert_cmpint(got.width, ==, 800);
    g_assert_cmpint(got.height, ==, 600);
    g_assert_cmpfloat(got.scale, ==, 1.25);
    g_assert_cmpint(got.depth, ==, 30);
    g_assert_true(got.own_home);
    g_assert_true(got.proxy);
    g_assert_true(got.opengl);
}

static void test_defaults(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) json = hf_stage_options_to_json(&plain);
    HfStageOptions got;
    g_assert_true(hf_stage_options_from_json(json, &got, &error));
    g_assert_cmpint(got.width, ==, 1920);
    g_assert_cmpint(got.height, ==, 1080);
    g_assert_cmpfloat(got.scale, ==, 1);
    g_assert_cmpint(got.depth, ==, 24);
    g_assert_false(got.own_home);
    g_assert_false(got.proxy);
    g_assert_false(got.opengl);
}

static void test_attached(void)
{
    g_autoptr(GError) error = NULL;
    HfStageOptions options = {
        .kind = HF_STAGE_ATTACHED, .name = "main", .id = "x", .display = ":0"};
    g_autoptr(json_t) json = hf_stage_options_to_json(&options);
    HfStageOptions got;
    g_assert_true(hf_stage_options_from_json(json, &got, &error));
    g_assert_cmpint(got.kind, ==, HF_STAGE_ATTACHED);
    g_assert_cmpstr(got.display, ==, ":0");
}

static void test_refusals(void)
{
    static const char *const cases[] = {
        "{'name': ''}",
        "{'name': '..'}",
        "{'name': '-x'}",
        "{'name': 'a/b'}",
        "{'name': 'a b'}",
        "{'name': 'ä'}",
        "{'name': 7}",
        "{'name': '01234567890123456789012345678901234567890123456789012345678901234'}",
        "{'id': ''}",
        "{'id': null}",
        "{'runtime_dir': 'relative'}",
        "{'runtime_dir': null}",
        "{'width': 63, 'height': 600}",
        "{'width': 800}",
        "{'width': 800, 'height': -1}",
        "{'width': 16385, 'height': 600}",
        "{'width': 4294967300, 'height': 600}",
        "{'scale': 0.4}",
        "{'scale': 5}",
        "{'scale': -1}",
        "{'depth': 8}",
        "{'depth': 32}",
        "{'attached': true}",
        "{'attached': true, 'display': ''}",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strdelimit(g_strdup(cases[i]), "'", '"');
        g_autoptr(json_t) json = hf_stage_options_to_json(&plain);
        g_autoptr(json_t) change = json_loads(text, 0, NULL);
        g_assert_nonnull(change);
        json_object_update(json, change);
        HfStageOptions got;
        if (hf_stage_options_from_json(json, &got, &error))
            g_error("accepted: %s", text);
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stage-protocol/round-trip", test_round_trip);
    g_test_add_func("/stage-protocol/defaults", test_defaults);
    g_test_add_func("/stage-protocol/attached", test_attached);
    g_test_add_func("/stage-protocol/refusals", test_refusals);
    return g_test_run();
}
