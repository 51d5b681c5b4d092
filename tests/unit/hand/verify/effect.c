/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on what was seen, case by case. The rule of the
 * table: `confirmed` needs a proof that has stayed for as long as it has to. */
#include "hand/verify/observation.h"

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"

typedef struct Proof {
    const char *text; /* NULL: none */
    HfStay stay;
} Proof;

static const struct {
    const char *about;
    Proof windows, elements;
    HfStay stayed;
    HfTextSeen text;
    gboolean drawn, unread;
    const char *verdict, *why; /* NULL: any */
} cases[] = {
    {.about = "nothing at all", .verdict = "no_effect"},
    {.about = "drawn only", .drawn = TRUE, .verdict = "unverified"},
    {.about = "not read yet", .unread = TRUE, .verdict = "unverified"},
    {.about = "a window opened", .windows = {"w"}, .verdict = "confirmed", .why = "w"},
    {.about = "a box was checked", .elements = {"e"}, .verdict = "confirmed", .why = "e"},
    {.about = "a title that was not seen to stay",
     .windows = {"w", HF_STAY_SHORT},
     .verdict = "no_effect"},
    {.about = "a title that has stayed",
     .windows = {"w", HF_STAY_SHORT},
     .stayed = HF_STAY_SHORT,
     .verdict = "confirmed",
     .why = "w"},
    {.about = "a label that was not seen to stay",
     .elements = {"e", HF_STAY_SHORT},
     .drawn = TRUE,
     .verdict = "unverified"},
    {.about = "a label that was not still before, and has stayed for a moment",
     .elements = {"e", HF_STAY_LONG},
     .stayed = HF_STAY_SHORT,
     .drawn = TRUE,
     .verdict = "unverified"},
    {.about = "one that has stayed for long",
     .elements = {"e", HF_STAY_LONG},
     .stayed = HF_STAY_LONG,
     .drawn = TRUE,
     .verdict = "confirmed",
     .why = "e"},
    {.about = "the one that needs less counts",
     .windows = {"w", HF_STAY_LONG},
     .elements = {"e", HF_STAY_SHORT},
     .stayed = HF_STAY_SHORT,
     .verdict = "confirmed",
     .why = "e"},
    {.about = "and not the one that needs more",
     .windows = {"w", HF_STAY_LONG},
     .elements = {"e", HF_STAY_LONG},
     .stayed = HF_STAY_SHORT,
     .drawn = TRUE,
     .verdict = "unverified"},
    {.about = "a window that opened needs nothing else",
     .windows = {"w"},
     .elements = {"e", HF_STAY_LONG},
     .verdict = "confirmed",
     .why = "w"},
    {.about = "the text is there", .text = HF_TEXT_ARRIVED, .verdict = "confirmed"},
    {.about = "the text is not there, whatever else has changed",
     .windows = {"w"},
     .elements = {"e"},
     .text = HF_TEXT_MISSING,
     .verdict = "unverified"},
    {.about = "the text cannot be read, and a window opened",
     .windows = {"w"},
     .text = HF_TEXT_UNSEEN,
     .verdict = "unverified"},
    {.about = "the text cannot be read, and nothing was drawn",
     .text = HF_TEXT_UNSEEN,
     .verdict = "no_effect"},
    {.about = "a command line closed the window",
     .windows = {"w"},
     .text = HF_TEXT_UNKNOWN,
     .verdict = "confirmed"},
    {.about = "a password field",
     .elements = {"e"},
     .text = HF_TEXT_PASSWORD,
     .verdict = "unverified"},
};

static void test_verdicts(void)
{
    HfEffect effect = {.before = g_ptr_array_new()};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_auto(HfObservation) observation = {
            .effect = &effect,
            .windows = {.proof = {g_strdup(cases[i].windows.text), cases[i].windows.stay}},
            .elements = {.proof = {g_strdup(cases[i].elements.text), cases[i].elements.stay}},
            .stayed = cases[i].stayed,
            .text = cases[i].text,
            .input_unread = cases[i].unread};
        hf_screen_changes_init(&observation.changes);
        HfRect drawn = {1, 2, 3, 4};
        if (cases[i].drawn)
            g_array_append_val(observation.changes.drawn, drawn);
        g_autoptr(json_t) report = hf_effect_judge(&observation);
        g_assert_cmpstr(hf_json_string(report, "verdict", ""), ==, cases[i].verdict);
        if (cases[i].why)
            g_assert_cmpstr(hf_json_string(report, "why", ""), ==, cases[i].why);
        g_assert_cmpint(json_object_get(report, "rects") != NULL, ==, cases[i].drawn);
        g_assert_cmpint(json_object_get(report, "suggested_next") != NULL, ==,
                        !g_str_equal(cases[i].verdict, "confirmed") &&
                            cases[i].text != HF_TEXT_PASSWORD);
    }
    g_ptr_array_unref(effect.before);
}

/* Only of what was certainly not done it is said that it was refused. */
static void test_refused(void)
{
    static const struct {
        HfErrorCode code;
        int characters; /* that had arrived; -1: it does not say */
        gboolean refused;
    } table[] = {
        {HF_ERROR_INVALID_PARAMS, -1, TRUE},    {HF_ERROR_DESKTOP_MODAL_BLOCKING, -1, TRUE},
        {HF_ERROR_WINDOW_NOT_FOUND, -1, TRUE},  {HF_ERROR_DESKTOP_FOCUS_LOST, -1, TRUE},
        {HF_ERROR_DESKTOP_FOCUS_LOST, 0, TRUE}, {HF_ERROR_DESKTOP_FOCUS_LOST, 3, FALSE},
        {HF_ERROR_DESKTOP_TIMEOUT, -1, FALSE},  {HF_ERROR_OUTCOME_UNKNOWN, -1, FALSE},
        {HF_ERROR_DESKTOP_ABORTED, -1, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        g_test_message("%zu", i);
        g_autoptr(GError) error = NULL;
        hf_fail(&error, table[i].code, "it could not be done");
        if (table[i].characters >= 0)
            hf_error_take_details(&error, json_pack("{s:i}", "characters", table[i].characters));
        g_autoptr(json_t) report = hf_effect_refused(error);
        g_assert_cmpint(report != NULL, ==, table[i].refused);
        if (report)
            g_assert_cmpstr(hf_json_string(report, "verdict", ""), ==, "refused");
    }
    g_assert_null(hf_effect_refused(NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/effect/verdicts", test_verdicts);
    g_test_add_func("/effect/refused", test_refused);
    return g_test_run();
}
