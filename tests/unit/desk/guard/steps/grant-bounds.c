/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that hold a call to its grant and to the limits by time, with tools that the registry
 * does not have yet: one that takes a path and an address, and one that sends messages. */
#include <glib/gstdio.h>

#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"

static const HfParam params[] = {
    {.name = "path", .type = HF_TYPE_STRING, .means = HF_MEANS_PATH},
    {.name = "url", .type = HF_TYPE_STRING, .means = HF_MEANS_URL},
    {.name = "app", .type = HF_TYPE_STRING, .means = HF_MEANS_APP},
    {.name = "to", .type = HF_TYPE_STRING, .means = HF_MEANS_RECIPIENT},
    {0},
};
static const HfTool message_tool = {
    .name = "send_message", .params = params, .pace = HF_PACE_MESSAGE, .risk = HF_RISK_MEDIUM};
static const HfTool free_tool = {
    .name = "look", .params = params, .pace = HF_PACE_FREE, .risk = HF_RISK_LOW};

#define GRANT                                                                                      \
    "{\"tools\": [\"*\"], \"restrictions\": {\"allowed_directories\": [\"/usr/share\"], "          \
    "\"allowed_domains\": [\"*.example.com\"], \"allowed_apps\": [\"mouse*\", {\"app\": "          \
    "\"code\", \"workspace\": \"/w\"}], \"max_risk_level\": \"medium\"}}"

static const struct {
    const char *params;
    HfRisk risk;
    HfErrorCode code; /* HF_ERROR_COUNT: passes */
} cases[] = {
    {"{}", HF_RISK_MEDIUM, HF_ERROR_COUNT},
    {"{}", HF_RISK_HIGH, HF_ERROR_FORBIDDEN},
    {"{\"path\": \"/usr/share/doc\"}", HF_RISK_LOW, HF_ERROR_COUNT},
    {"{\"path\": \"/usr/share/../lib\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"path\": \"/etc/passwd\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"path\": \"doc\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"path\": \"\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"url\": \"https://a.example.com/x\"}", HF_RISK_LOW, HF_ERROR_COUNT},
    {"{\"url\": \"https://evil.org/?a.example.com\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"url\": \"https://a.example.com@evil.org/\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"url\": \"file:///etc/passwd\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"url\": \"no address\"}", HF_RISK_LOW, HF_ERROR_FORBIDDEN},
    {"{\"app\": \"Mousepad\"}", HF_RISK_LOW, HF_ERROR_COUNT},
    {"{\"app\": \"/usr/bin/mousepad\"}", HF_RISK_LOW, HF_ERROR_COUNT},
    {"{\"app\": \"code\"}", HF_RISK_LOW, HF_ERROR_COUNT},
    {"{\"app\": \"xterm\"}", HF_RISK_LOW, HF_ERROR_APP_NOT_ALLOWED},
};

static void test_within_grant(void)
{
    g_autoptr(json_t) document = json_loads(GRANT, 0, NULL);
    HfGrantEntry entry = {.id = "g", .grant = hf_grant_new(document, NULL)};
    g_autoptr(GPtrArray) grants = g_ptr_array_new();
    g_autoptr(json_t) rules = json_array();
    g_ptr_array_add(grants, &entry);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) given = json_loads(cases[i].params, 0, NULL);
        HfPassage passage = {.tool = &free_tool,
                             .params = given,
                             .judgement.risk = cases[i].risk,
                             .judgement.rules = rules,
                             .grant.chain = grants,
                             .grant.first = entry.grant};
        g_test_message("%s", cases[i].params);
        gboolean passed = hf_step_grant_bounds(&passage, &error);
        g_assert_cmpint(passed, ==, cases[i].code == HF_ERROR_COUNT);
        if (!passed)
            g_assert_error(error, HF_ERROR, (int)cases[i].code);
        HfPassage unbound = {.tool = &free_tool, .params = given, .judgement.risk = cases[i].risk};
        g_assert_true(hf_step_grant_bounds(&unbound, NULL));
    }
    hf_grant_unref(entry.grant);
}

typedef struct Place {
    char *folder, *path;
    HfGuard guard;
    HfConfig *config;
} Place;

static void set_up(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-bounds-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    place->guard.store = hf_store_open(place->path, NULL);
    place->guard.rate_limiter = hf_rate_limiter_new(place->guard.store, NULL);
    place->config = hf_config_new_default();
}

static void tear_down(Place *place, gconstpointer unused)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    hf_rate_limiter_free(place->guard.rate_limiter);
    hf_store_close(place->guard.store);
    hf_config_unref(place->config);
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = g_strconcat(place->path, suffixes[i], NULL);
        g_remove(path);
    }
    g_rmdir(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

/* How many of 40 calls pass, under the default limits. */
static int count_passed(Place *place, const HfTool *tool, const char *to)
{
    HfCaller caller = {.kind = HF_CALLER_CLIENT, .name = "test"};
    HfRequest request = {.caller = &caller};
    g_autoptr(json_t) given = to ? json_pack("{s:s}", "to", to) : json_object();
    HfPassage passage = {.guard = &place->guard,
                         .request = &request,
                         .config = place->config,
                         .tool = tool,
                         .params = given};
    int passed = 0;
    for (int i = 0; i < 40; i++) {
        g_autoptr(GError) error = NULL;
        if (hf_step_rate_limit(&passage, &error))
            passed++;
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_RATE_LIMITED);
    }
    return passed;
}

static void test_messages(Place *place, gconstpointer unused)
{
    g_assert_cmpint(count_passed(place, &free_tool, "anna"), ==, 40);
    g_assert_cmpint(count_passed(place, &message_tool, "anna"), ==, 3);
    g_assert_cmpint(count_passed(place, &message_tool, "bert"), ==, 3);
    g_assert_cmpint(count_passed(place, &message_tool, "anna"), ==, 0);
    int rest = count_passed(place, &message_tool, NULL); /* to nobody named: all together 30 */
    g_assert_cmpint(rest, >=, 24);
    g_assert_cmpint(rest, <, 40); /* a bucket fills while we try */
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bounds/within-grant", test_within_grant);
    g_test_add("/bounds/messages", Place, NULL, set_up, test_messages, tear_down);
    return g_test_run();
}
