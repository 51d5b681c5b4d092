/* SPDX-License-Identifier: Apache-2.0 */
/* The brake: who it stops, for how long, and what it tells. */
#include "hand/safety/brake.h"

#include <xkbcommon/xkbcommon.h>

#include "shared/base/error.h"

static const struct {
    HfBrakeKind kind;
    gboolean takeover;
    int input, other; /* the code that something of that kind gets, or -1 */
} cases[] = {
    {HF_BRAKE_OFF, FALSE, -1, -1},
    {HF_BRAKE_OFF, TRUE, HF_ERROR_PAUSED, -1},
    {HF_BRAKE_PAUSE, FALSE, HF_ERROR_PAUSED, HF_ERROR_PAUSED},
    {HF_BRAKE_PAUSE, TRUE, HF_ERROR_PAUSED, HF_ERROR_PAUSED},
    {HF_BRAKE_STOP, FALSE, HF_ERROR_STOPPED, HF_ERROR_STOPPED},
    {HF_BRAKE_STOP, TRUE, HF_ERROR_STOPPED, HF_ERROR_STOPPED},
};

static int check(HfBrake *brake, gboolean input)
{
    g_autoptr(GError) error = NULL;
    return hf_brake_check(brake, input, &error) ? -1 : (int)hf_error_code(error);
}

static void test_kinds(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfBrake) brake = hf_brake_new();
        hf_brake_set_quiet(brake, G_USEC_PER_SEC);
        hf_brake_set(brake, cases[i].kind);
        if (cases[i].takeover)
            g_assert_true(hf_brake_take_over(brake, g_get_monotonic_time()));
        g_assert_cmpint(check(brake, TRUE), ==, cases[i].input);
        g_assert_cmpint(check(brake, FALSE), ==, cases[i].other);
    }
}

static void test_a_takeover_ends_by_itself(void)
{
    g_autoptr(HfBrake) brake = hf_brake_new();
    gint64 now = g_get_monotonic_time();
    g_assert_false(hf_brake_take_over(brake, now)); /* off until it is asked for */
    g_assert_cmpint(hf_brake_get(brake), ==, HF_BRAKE_OFF);
    hf_brake_set_quiet(brake, 60 * G_USEC_PER_SEC);
    g_assert_true(hf_brake_take_over(brake, now - 61 * G_USEC_PER_SEC + 500000));
    g_assert_cmpint(hf_brake_get(brake), ==, HF_BRAKE_OFF);
    g_assert_true(hf_brake_take_over(brake, now));
    g_assert_false(hf_brake_take_over(brake, now + 1));
    g_assert_cmpint(hf_brake_get(brake), ==, HF_BRAKE_TAKEOVER);
    hf_brake_set(brake, HF_BRAKE_OFF); /* the owner resumes */
    g_assert_cmpint(hf_brake_get(brake), ==, HF_BRAKE_OFF);
}

static void test_explanations_keep_what_was_done(void)
{
    g_autoptr(HfBrake) brake = hf_brake_new();
    g_autoptr(GError) error = NULL;
    hf_fail(&error, HF_ERROR_DESKTOP_ABORTED, "cancelled");
    hf_error_take_details(&error, json_pack("{s:i}", "characters", 7));
    hf_brake_explain(brake, HF_BRAKE_OFF, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    hf_brake_explain(brake, HF_BRAKE_STOP, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_STOPPED);
    g_autoptr(json_t) json = hf_error_to_json(error);
    const json_t *done = json_object_get(json_object_get(json, "details"), "done");
    g_assert_cmpint(hf_json_int(done, "characters", 0), ==, 7);
}

static GArray *keys(guint32 first, guint32 second, guint32 third)
{
    guint32 all[] = {first, second, third};
    GArray *array = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_vals(array, all, third ? 3 : 2);
    return array;
}

static void test_the_chord_is_the_owners(void)
{
    static const struct {
        guint32 down[3];
        gboolean blocked;
    } chords[] = {
        {{XKB_KEY_Control_L, XKB_KEY_Alt_L, XKB_KEY_s}, TRUE},
        {{XKB_KEY_S, XKB_KEY_Control_R, XKB_KEY_Alt_R}, TRUE},
        {{XKB_KEY_Control_L, XKB_KEY_s, 0}, FALSE},
        {{XKB_KEY_Control_L, XKB_KEY_Shift_L, XKB_KEY_Escape}, TRUE}, /* always */
        {{XKB_KEY_Control_L, XKB_KEY_Alt_L, XKB_KEY_F2}, TRUE},
    };
    g_autoptr(HfBrake) brake = hf_brake_new();
    hf_brake_take_chord(brake, keys(XKB_KEY_Control_L, XKB_KEY_Alt_L, XKB_KEY_s));
    for (gsize i = 0; i < G_N_ELEMENTS(chords); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GArray) down = keys(chords[i].down[0], chords[i].down[1], chords[i].down[2]);
        g_assert_cmpint(!hf_brake_check_keys(brake, down, &error), ==, chords[i].blocked);
        if (chords[i].blocked)
            g_assert_error(error, HF_ERROR, HF_ERROR_DANGEROUS_ACTION_BLOCKED);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/brake/kinds", test_kinds);
    g_test_add_func("/brake/takeover", test_a_takeover_ends_by_itself);
    g_test_add_func("/brake/explain", test_explanations_keep_what_was_done);
    g_test_add_func("/brake/chord", test_the_chord_is_the_owners);
    return g_test_run();
}
