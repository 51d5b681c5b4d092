/* SPDX-License-Identifier: Apache-2.0 */
/* The one shape of answers, with binary parts spliced in as base64. */
#include "shared/tool/answer.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/json.h"

static json_t *text_of(const HfAnswer *answer)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hf_answer_append(answer, text);
    json_t *json = json_loads(text->str, 0, NULL);
    g_assert_nonnull(json);
    return json;
}

static void test_failure(void)
{
    g_autoptr(HfAnswer) answer = hf_answer_new("left_click", "r_1");
    hf_fail(&answer->error, HF_ERROR_WINDOW_NOT_FOUND, "no window titled '%s'", "\xff\xfe");
    hf_error_take_details(&answer->error, json_pack("{s:i}", "n", 3));
    g_autoptr(json_t) json = text_of(answer);
    g_assert_false(hf_json_bool(json, "ok", TRUE));
    const json_t *error = json_object_get(json, "error");
    g_assert_cmpstr(hf_json_string(error, "code", ""), ==, "WINDOW_NOT_FOUND");
    g_assert_cmpint(hf_json_int(json_object_get(error, "details"), "n", 0), ==, 3);
    g_autoptr(GError) back = hf_error_new_from_json(error);
    g_assert_error(back, HF_ERROR, HF_ERROR_WINDOW_NOT_FOUND);
}

static void check_parts(const char *result, guint parts, gsize size)
{
    g_autoptr(HfAnswer) answer = hf_answer_new("screenshot", NULL);
    answer->channel = HF_CHANNEL_PIXELS;
    answer->result = hf_result_new(json_loads(result, 0, NULL));
    for (guint i = 0; i < parts; i++) {
        g_autofree char *field = g_strdup_printf("image%u", i);
        guint8 *bytes = g_malloc0(size + 1);
        for (gsize k = 0; k < size; k++)
            bytes[k] = (guint8)(k * 7 + i);
        hf_result_add_attachment(answer->result, field, "image/jpeg",
                                 g_bytes_new_take(bytes, size));
    }
    g_autoptr(json_t) json = text_of(answer);
    for (guint i = 0; i < parts; i++) {
        g_autofree char *field = g_strdup_printf("image%u", i);
        gsize decoded;
        g_autofree guchar *bytes =
            g_base64_decode(hf_json_string(json_object_get(json, "result"), field, ""), &decoded);
        g_autoptr(GBytes) got = g_bytes_new(bytes, decoded);
        g_assert_true(
            g_bytes_equal(got, ((HfAttachment *)answer->result->attachments->pdata[i])->bytes));
    }
}

static void test_parts(void)
{
    for (gsize size = 0; size < 10; size++)
        check_parts("{\"width\": 1}", 1, size);
    check_parts("{}", 0, 0);
    check_parts("{}", 1, 100);
    check_parts("{\"a\": {}}", 3, 300001);
}

static const char *at(const json_t *json, const char *way)
{
    g_auto(GStrv) names = g_strsplit(way, "/", -1);
    for (char **name = names; *name; name++)
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(*name))
                                   : json_object_get(json, *name);
    return json_string_value(json);
}

/* Results within a result: each part goes where its field says, and nothing else changes. */
static void test_parts_within(void)
{
    static const char *const fields[] = {"steps/0/result/image", "steps/2/shots/after/image",
                                         "steps/2/shots/after/small", "image"};
    const char *text = "{\"steps\":[{\"result\":{}},{\"ok\":true,\"s\":\"a/b\"},{\"shots\":"
                       "{\"before\":{\"w\":1},\"after\":{\"w\":2}}}],\"n\":[[],{}]}";
    g_autoptr(HfAnswer) answer = hf_answer_new("run_macro", NULL);
    answer->result = hf_result_new(json_loads(text, 0, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++)
        hf_result_add_attachment(answer->result, fields[i], "image/png",
                                 g_bytes_new(fields[i], strlen(fields[i])));
    g_autoptr(json_t) json = text_of(answer);
    json_t *result = json_object_get(json, "result");
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
        gsize size;
        g_autofree guchar *bytes = g_base64_decode(at(result, fields[i]), &size);
        g_assert_cmpmem(bytes, size, fields[i], strlen(fields[i]));
    }
    json_object_del(result, "image");
    json_object_del(json_object_get(json_array_get(json_object_get(result, "steps"), 0), "result"),
                    "image");
    json_t *after = json_object_get(
        json_object_get(json_array_get(json_object_get(result, "steps"), 2), "shots"), "after");
    json_object_del(after, "image");
    json_object_del(after, "small");
    g_assert_true(json_equal(result, answer->result->json));
    g_autoptr(json_t) kept = hf_answer_to_recorded(answer, 1000);
    const json_t *steps = json_object_get(json_object_get(kept, "result"), "steps");
    const json_t *image =
        json_object_get(json_object_get(json_array_get(steps, 0), "result"), "image");
    g_assert_cmpint(hf_json_int(image, "bytes", 0), ==, strlen(fields[0]));
    g_autoptr(json_t) untouched = json_loads(text, 0, NULL);
    g_assert_true(json_equal(untouched, answer->result->json));
}

static void test_codes_are_stable(void)
{
    for (int code = 0; code < HF_ERROR_COUNT; code++) {
        g_autoptr(GError) error = NULL;
        hf_fail(&error, (HfErrorCode)code, "x");
        g_autoptr(json_t) json = hf_error_to_json(error);
        g_autoptr(GError) back = hf_error_new_from_json(json);
        g_assert_cmpint(back->code, ==, code);
        g_assert_cmpint(hf_error_code_status((HfErrorCode)code), >=, 400);
        g_assert_cmpstr(hf_json_string(json, "suggestion", ""), !=, "");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/failure", test_failure);
    g_test_add_func("/answer/parts", test_parts);
    g_test_add_func("/answer/parts-within", test_parts_within);
    g_test_add_func("/answer/codes", test_codes_are_stable);
    return g_test_run();
}
