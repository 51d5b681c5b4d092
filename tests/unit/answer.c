/* The one shape of answers, with binary parts spliced in as base64. */
#include "tool/answer.h"

#include "base/json.h"

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
    g_test_add_func("/answer/codes", test_codes_are_stable);
    return g_test_run();
}
