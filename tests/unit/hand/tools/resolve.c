/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a call: both spaces, and every way of being wrong. */
#include "hand/tools/resolve.h"

#include "hand/desktop/image-spaces.h"
#include "hand/desktop/pointer.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

#define WIDTH  1280
#define HEIGHT 800

static HfDesktop *desktop;
static HfCallContext *context;

static gboolean resolve(const char *params, HfPoint *ret_point, GError **error)
{
    json_t *json = json_loads(params, 0, NULL);
    g_assert_nonnull(json);
    g_autoptr(HfCall) call =
        hf_call_new(NULL, json, context, desktop, hf_deadline_in_ms(5000, NULL));
    return hf_call_get_point(call, ret_point, error);
}

static void assert_point(const char *params, int x, int y)
{
    g_autoptr(GError) error = NULL;
    HfPoint point = {-1, -1};
    resolve(params, &point, &error);
    g_assert_no_error(error);
    g_assert_cmpint(point.x, ==, x);
    g_assert_cmpint(point.y, ==, y);
}

static void test_physical(void)
{
    assert_point("{\"x\":0,\"y\":0}", 0, 0);
    assert_point("{\"x\":1279,\"y\":799}", 1279, 799);
    assert_point("{\"x\":1279.99,\"y\":799.5}", 1279, 799);
    assert_point("{\"x\":99.7,\"y\":0.2,\"space\":\"physical\"}", 99, 0);
}

static void test_pointer_place(void)
{
    HfMovement straight = {0};
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    HfPoint at;
    g_assert_true(hf_pointer_move(context, (HfPoint){321, 123}, &straight, &at, &deadline, NULL));
    assert_point("{}", 321, 123);
    assert_point("{\"space\":\"physical\"}", 321, 123);
}

static void test_refused(void)
{
    static const struct {
        const char *params;
        HfErrorCode code;
        const char *word; /* of the message */
    } table[] = {
        {"{\"x\":5}", HF_ERROR_INVALID_PARAMS, "y: is required"},
        {"{\"y\":5}", HF_ERROR_INVALID_PARAMS, "x: is required"},
        {"{\"x\":-1,\"y\":5}", HF_ERROR_INVALID_PARAMS, "1280 x 800"},
        {"{\"x\":-0.01,\"y\":5}", HF_ERROR_INVALID_PARAMS, "1280 x 800"},
        {"{\"x\":1280,\"y\":5}", HF_ERROR_INVALID_PARAMS, "1280 x 800"},
        {"{\"x\":5,\"y\":800}", HF_ERROR_INVALID_PARAMS, "1280 x 800"},
        {"{\"x\":1e300,\"y\":-1e300}", HF_ERROR_INVALID_PARAMS, "1280 x 800"},
        {"{\"x\":5,\"y\":5,\"space\":\"image\"}", HF_ERROR_INVALID_PARAMS, "image_id"},
        {"{\"x\":5,\"y\":5,\"image_id\":\"i_1\"}", HF_ERROR_DESKTOP_STALE_SNAPSHOT, "i_1"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GError) error = NULL;
        HfPoint point = {-7, -7};
        g_assert_false(resolve(table[i].params, &point, &error));
        g_assert_error(error, HF_ERROR, (int)table[i].code);
        g_assert_nonnull(strstr(error->message, table[i].word));
        g_assert_cmpint(point.x, ==, -7);
    }
}

/* A picture of the whole screen made smaller: its corners are the screen's corners to a pixel of
 * the picture, and naming the picture is enough. */
static void test_image_space(void)
{
    static const double scales[] = {1, 1.25, 1.75, 2};
    for (gsize i = 0; i < G_N_ELEMENTS(scales); i++) {
        int width = (int)(WIDTH / scales[i]), height = (int)(HEIGHT / scales[i]);
        HfImageSpace space = {
            .area = {0, 0, WIDTH, HEIGHT}, .size = {width, height}, .screen = {WIDTH, HEIGHT}};
        g_autofree char *id = hf_image_spaces_add(desktop, &space);
        for (int x = 0; x < width; x += 7) {
            g_autofree char *params =
                g_strdup_printf("{\"x\":%d,\"y\":%d,\"image_id\":\"%s\"}", x, x % height, id);
            HfPoint point;
            g_assert_true(resolve(params, &point, NULL));
            /* The physical pixel must lie under the picture's pixel that was named. */
            g_assert_cmpint(ABS((int)((point.x + 0.5) * width / WIDTH) - x), <=, 0);
            g_assert_cmpint(ABS((int)((point.y + 0.5) * height / HEIGHT) - x % height), <=, 0);
        }
        g_autofree char *physical = g_strdup_printf(
            "{\"x\":1200,\"y\":700,\"space\":\"physical\",\"image_id\":\"%s\"}", id);
        assert_point(physical, 1200, 700);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/resolve/physical", test_physical);
    g_test_add_func("/resolve/pointer-place", test_pointer_place);
    g_test_add_func("/resolve/refused", test_refused);
    g_test_add_func("/resolve/image-space", test_image_space);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    context = hf_call_context_new_unfenced(desktop, "a test");
    int status = g_test_run();
    hf_call_context_free(context);
    hf_desktop_close(desktop);
    return status;
}
