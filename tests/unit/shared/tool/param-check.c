/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters against descriptions: what is refused, with which path, and what is completed. */
#include "shared/tool/param-check.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

static const char *const colours[] = {"red", "green", NULL};
static const HfParam word = {.type = HF_TYPE_STRING, .max = 4};
static const HfParam place[] = {
    {.name = "x", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "x"},
    {.name = "y", .type = HF_TYPE_NUMBER, .about = "y"},
    {0},
};
static const HfParam index_form = {.type = HF_TYPE_INTEGER, .min = 0, .max = 3};
static const HfParam table[] = {
    {.name = "count",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .min = 1,
     .max = 9,
     .about = "how many"},
    {.name = "ratio", .type = HF_TYPE_NUMBER, .fallback = "0.5"},
    {.name = "name", .type = HF_TYPE_STRING, .min = 1, .max = 8},
    {.name = "colour", .type = HF_TYPE_STRING, .choices = colours, .fallback = "\"red\""},
    {.name = "on", .type = HF_TYPE_BOOLEAN},
    {.name = "words", .type = HF_TYPE_ARRAY, .items = &word, .max = 2},
    {.name = "place", .type = HF_TYPE_OBJECT, .fields = place},
    {.name = "any", .type = HF_TYPE_OBJECT},
    {.name = "which", .type = HF_TYPE_STRING, .min = 1, .max = 4, .also = &index_form},
    {0},
};

static const struct {
    const char *params;
    const char *path; /* of the refusal; NULL: accepted */
} cases[] = {
    {"{\"count\": 1}", NULL},
    {"{\"count\": 9.0}", NULL},
    {"{\"count\": 1, \"desktop\": \"v1\", \"timeout_ms\": 5, \"reason\": \"x\"}", NULL},
    {"{\"count\": 1, \"ratio\": 1e300, \"name\": \"abcdefgh\", \"on\": false}", NULL},
    {"{\"count\": 1, \"words\": [], \"place\": {\"x\": 1}, \"any\": {\"deep\": [1]}}", NULL},
    {"{\"count\": 1, \"words\": [\"a\", \"abcd\"]}", NULL},
    {"{\"count\": 1, \"which\": \"a\"}", NULL},
    {"{\"count\": 1, \"which\": 3}", NULL},
    {"{\"count\": 1, \"which\": 4}", "which"},
    {"{\"count\": 1, \"which\": \"abcde\"}", "which"},
    {"{\"count\": 1, \"which\": true}", "which"},
    {"{}", "count"},
    {"[]", "params"},
    {"7", "params"},
    {"{\"count\": 0}", "count"},
    {"{\"count\": 10}", "count"},
    {"{\"count\": 1.5}", "count"},
    {"{\"count\": \"1\"}", "count"},
    {"{\"count\": true}", "count"},
    {"{\"count\": null}", "count"},
    {"{\"count\": 1, \"extra\": 1}", "extra"},
    {"{\"count\": 1, \"name\": \"\"}", "name"},
    {"{\"count\": 1, \"name\": \"abcdefghi\"}", "name"},
    {"{\"count\": 1, \"name\": 5}", "name"},
    {"{\"count\": 1, \"colour\": \"Red\"}", "colour"},
    {"{\"count\": 1, \"on\": 1}", "on"},
    {"{\"count\": 1, \"words\": \"a\"}", "words"},
    {"{\"count\": 1, \"words\": [\"a\", \"b\", \"c\"]}", "words"},
    {"{\"count\": 1, \"words\": [\"a\", 2]}", "words[1]"},
    {"{\"count\": 1, \"words\": [\"abcde\"]}", "words[0]"},
    {"{\"count\": 1, \"place\": {}}", "place.x"},
    {"{\"count\": 1, \"place\": {\"x\": 1, \"z\": 1}}", "place.z"},
    {"{\"count\": 1, \"place\": [1, 2]}", "place"},
    {"{\"count\": 1, \"timeout_ms\": 0}", "timeout_ms"},
    {"{\"count\": 1, \"desktop\": 4}", "desktop"},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) params = json_loads(cases[i].params, JSON_DECODE_ANY, NULL);
        g_assert_nonnull(params);
        g_autoptr(json_t) checked = hf_check_params(table, params, &error);
        g_test_message("%s", cases[i].params);
        if (!cases[i].path) {
            g_assert_no_error(error);
            g_assert_nonnull(checked);
            continue;
        }
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "path", ""), ==,
                        cases[i].path);
    }
}

static void test_completion(void)
{
    g_autoptr(json_t) params = json_loads("{\"count\": 2, \"desktop\": \"v1\"}", 0, NULL);
    g_autoptr(json_t) checked = hf_check_params(table, params, NULL);
    g_assert_cmpfloat(hf_json_number(checked, "ratio", 0), ==, 0.5);
    g_assert_cmpstr(hf_json_string(checked, "colour", ""), ==, "red");
    g_assert_null(json_object_get(checked, "desktop"));
    g_assert_null(json_object_get(checked, "name"));
}

static void test_result(void)
{
    g_autoptr(json_t) good = json_loads("{\"count\": 1}", 0, NULL);
    g_autoptr(json_t) bad = json_loads("{\"count\": 1, \"desktop\": \"main\"}", 0, NULL);
    g_assert_true(hf_check_result(table, good, NULL));
    g_assert_false(hf_check_result(table, bad, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/check/cases", test_cases);
    g_test_add_func("/check/completion", test_completion);
    g_test_add_func("/check/result", test_result);
    return g_test_run();
}
