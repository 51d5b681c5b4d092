/* SPDX-License-Identifier: Apache-2.0 */
/* Grants: what is one, and what lies within another. */
#include "desk/policy/config/grant.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/text/host-pattern.h"
#include "shared/tool/registry.h"

static char
    *folder; /* with real/, real/sub, link → real, out → /, loop → loop, dangling → nowhere */

/* In JSON below, @ stands for the folder and ' for ". */
static json_t *load(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", -1);
    g_autofree char *full = g_strjoinv(folder, parts);
    g_strdelimit(full, "'", '"');
    json_t *json = json_loads(full, 0, NULL);
    g_assert_nonnull(json);
    return json;
}

static const struct {
    const char *document;
    const char *path; /* of the refusal; NULL: accepted */
} documents[] = {
    {"{'tools': ['screenshot']}", NULL},
    {"{'tools': ['*']}", NULL},
    {"{'tools': ['mouse', 'toolset:look']}", NULL},
    {"{'tools': ['wait'], 'restrictions': {'max_risk_level': 'low', 'max_calls': 3, 'expires_at': "
     "'2030-01-01T00:00:00Z', 'allowed_apps': ['a', {'app': 'b', 'workspace': '/x'}]}}",
     NULL},
    {"{'tools': ['wait'], 'approval_overrides': {'keyboard': 'require_approval'}}", NULL},
    {"{}", "tools"},
    {"{'tools': []}", "tools"},
    {"{'tools': 'wait'}", "tools"},
    {"{'tools': [7]}", "tools[0]"},
    {"{'tools': ['no_such_tool']}", "tools"},
    {"{'tools': ['toolset:nope']}", "tools"},
    {"{'tools': ['wait'], 'wings': 2}", "wings"},
    {"{'tools': ['wait'], 'restrictions': {'max_risk_level': 'none'}}",
     "restrictions.max_risk_level"},
    {"{'tools': ['wait'], 'restrictions': {'max_calls': 0}}", "restrictions.max_calls"},
    {"{'tools': ['wait'], 'restrictions': {'max_calls': 1.5}}", "restrictions.max_calls"},
    {"{'tools': ['wait'], 'restrictions': {'expires_at': 'soon'}}", "restrictions.expires_at"},
    {"{'tools': ['wait'], 'restrictions': {'expires_at': 5}}", "restrictions.expires_at"},
    {"{'tools': ['wait'], 'restrictions': {'allowed_apps': [{'app': 'b'}]}}",
     "restrictions.allowed_apps[0].workspace"},
    {"{'tools': ['wait'], 'approval_overrides': {'wait': 'maybe'}}", "approval_overrides.wait"},
    {"{'tools': ['wait'], 'approval_overrides': {'nope': 'auto_approve'}}", "approval_overrides"},
    {"{'tools': ['*'], 'approval_overrides': {'toolset:look': 'always_block'}}",
     "approval_overrides"},
    {"{'tools': ['*'], 'approval_overrides': {'left-click': 'always_block'}}",
     "approval_overrides"},
};

static void test_documents(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(documents); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) document = load(documents[i].document);
        g_test_message("%s", documents[i].document);
        g_autoptr(HfGrant) grant = hf_grant_new(document, &error);
        g_assert_true((grant != NULL) == (documents[i].path == NULL));
        if (grant)
            continue;
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "path", ""), ==,
                        documents[i].path);
    }
}

#define DIRS(LIST)     "{'tools': ['*'], 'restrictions': {'allowed_directories': [" LIST "]}}"
#define DOMAINS(LIST)  "{'tools': ['*'], 'restrictions': {'allowed_domains': [" LIST "]}}"
#define APPS(LIST)     "{'tools': ['*'], 'restrictions': {'allowed_apps': [" LIST "]}}"
#define ONE(WHAT)      "{'tools': ['*'], 'restrictions': {" WHAT "}}"
#define OVERRIDE(WHAT) "{'tools': ['*'], 'approval_overrides': {" WHAT "}}"

static const struct {
    const char *outer, *inner;
    const char *beyond; /* the field; NULL: within */
} pairs[] = {
    {"{'tools': ['*']}", "{'tools': ['wait']}", NULL},
    {"{'tools': ['wait']}", "{'tools': ['*']}", "tools"},
    {"{'tools': ['mouse']}", "{'tools': ['left_click', 'scroll']}", NULL},
    {"{'tools': ['mouse']}", "{'tools': ['left_click', 'key_press']}", "tools"},
    {"{'tools': ['left_click']}", "{'tools': ['mouse']}", "tools"},
    {"{'tools': ['toolset:operate']}", "{'tools': ['toolset:look']}", NULL},
    {"{'tools': ['toolset:look']}", "{'tools': ['toolset:operate']}", "tools"},
    /* directories */
    {"{'tools': ['*']}", DIRS("'/anywhere'"), NULL},
    {DIRS("'@/real'"), "{'tools': ['*']}", "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real'"), NULL},
    {DIRS("'@/real'"), DIRS("'@/real/'"), NULL},
    {DIRS("'@/real/'"), DIRS("'@/real'"), NULL},
    {DIRS("'@/real'"), DIRS("'@/real/sub', '@/real/not/there'"), NULL},
    {DIRS("'@/real'"), DIRS("'@/realm'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real/..'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real/sub/../../x'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real/not/../../x'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/x/../real/sub'"), NULL},
    {DIRS("'@/real'"), DIRS("'@/link/sub'"), NULL},
    {DIRS("'@/link'"), DIRS("'@/real/sub'"), NULL},
    {DIRS("'@/real'"), DIRS("'@/real/out/etc'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real/dangling/x'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/real/loop'"), "restrictions.allowed_directories"},
    {DIRS("'@/real'"), DIRS("'@/link/../real'"), NULL},
    {DIRS("'@/real'"), DIRS("'relative'"), "restrictions.allowed_directories"},
    {DIRS("'/'"), DIRS("'/etc', '~'"), NULL},
    {DIRS("'~'"), DIRS("'~/Projects'"), NULL},
    {DIRS("'~/Projects'"), DIRS("'~'"), "restrictions.allowed_directories"},
    {DIRS(""), DIRS("'/etc'"), "restrictions.allowed_directories"},
    {DIRS("'/etc'"), DIRS(""), NULL},
    /* domains */
    {DOMAINS("'example.com'"), DOMAINS("'EXAMPLE.com.'"), NULL},
    {DOMAINS("'example.com'"), DOMAINS("'a.example.com'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.com'"), DOMAINS("'a.example.com', 'a.b.example.com', 'example.com'"),
     NULL},
    {DOMAINS("'*.example.com'"), DOMAINS("'*.a.example.com'"), NULL},
    {DOMAINS("'*.a.example.com'"), DOMAINS("'*.example.com'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.com'"), DOMAINS("'evilexample.com'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.com'"), DOMAINS("'example.com.evil.org'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.com'"), DOMAINS("'*'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.com'"), DOMAINS("'*.example.*'"), "restrictions.allowed_domains"},
    {DOMAINS("'*.example.*'"), DOMAINS("'a.example.org', '*.example.*'"), NULL},
    {DOMAINS("'*'"), DOMAINS("'*.com'"), NULL},
    {DOMAINS("'a.com', 'b.com'"), DOMAINS("'b.com'"), NULL},
    {DOMAINS("'a.com'"), "{'tools': ['*']}", "restrictions.allowed_domains"},
    /* applications */
    {APPS("'mousepad'"), APPS("'Mousepad'"), NULL},
    {APPS("'mouse*'"), APPS("'mousepad'"), NULL},
    {APPS("'mousepad'"), APPS("'mouse*'"), "restrictions.allowed_apps"},
    {APPS("'mousepad'"), APPS("'xterm'"), "restrictions.allowed_apps"},
    {APPS("'code'"), APPS("{'app': 'code', 'workspace': '/w'}"), NULL},
    {APPS("{'app': 'code', 'workspace': '@/real'}"), APPS("'code'"), "restrictions.allowed_apps"},
    {APPS("{'app': 'code', 'workspace': '@/real'}"),
     APPS("{'app': 'code', 'workspace': '@/real/sub'}"), NULL},
    {APPS("{'app': 'code', 'workspace': '@/real'}"),
     APPS("{'app': 'code', 'workspace': '@/real/..'}"), "restrictions.allowed_apps"},
    /* risk, time, count */
    {ONE("'max_risk_level': 'medium'"), ONE("'max_risk_level': 'low'"), NULL},
    {ONE("'max_risk_level': 'medium'"), ONE("'max_risk_level': 'high'"),
     "restrictions.max_risk_level"},
    {ONE("'max_risk_level': 'medium'"), "{'tools': ['*']}", "restrictions.max_risk_level"},
    {ONE("'expires_at': '2030-01-01T00:00:00Z'"), ONE("'expires_at': '2029-12-31T23:59:59Z'"),
     NULL},
    {ONE("'expires_at': '2030-01-01T00:00:00Z'"), ONE("'expires_at': '2030-01-01T01:00:00+01:00'"),
     NULL},
    {ONE("'expires_at': '2030-01-01T00:00:00Z'"), ONE("'expires_at': '2030-01-01T00:00:00-01:00'"),
     "restrictions.expires_at"},
    {ONE("'expires_at': '2030-01-01T00:00:00Z'"), "{'tools': ['*']}", "restrictions.expires_at"},
    {ONE("'max_calls': 10"), ONE("'max_calls': 10"), NULL},
    {ONE("'max_calls': 10"), ONE("'max_calls': 11"), "restrictions.max_calls"},
    {ONE("'max_calls': 10"), "{'tools': ['*']}", "restrictions.max_calls"},
    /* what is asked */
    {OVERRIDE("'mouse': 'require_approval'"), OVERRIDE("'*': 'require_approval'"), NULL},
    {OVERRIDE("'mouse': 'require_approval'"), OVERRIDE("'*': 'always_block'"), NULL},
    {OVERRIDE("'mouse': 'require_approval'"), OVERRIDE("'*': 'notify_only'"), "approval_overrides"},
    {OVERRIDE("'mouse': 'require_approval'"), "{'tools': ['*']}", "approval_overrides"},
    {OVERRIDE("'mouse': 'require_approval'"), "{'tools': ['wait']}", NULL},
};

static void test_contains(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) a = load(pairs[i].outer);
        g_autoptr(json_t) b = load(pairs[i].inner);
        g_autoptr(HfGrant) outer = hf_grant_new(a, NULL);
        g_autoptr(HfGrant) inner = hf_grant_new(b, NULL);
        g_test_message("%s within %s", pairs[i].inner, pairs[i].outer);
        g_assert_true(outer && inner);
        gboolean within = hf_grant_contains(outer, inner, &error);
        g_assert_cmpint(within, ==, pairs[i].beyond == NULL);
        g_assert_true(hf_grant_contains(outer, outer, NULL));
        if (within)
            continue;
        g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "path", ""), ==,
                        pairs[i].beyond);
    }
}

static void test_shrink(void)
{
    g_autoptr(json_t) document =
        load("{'tools': ['mouse'], 'restrictions': {'max_calls': 5, 'max_risk_level': 'medium', "
             "'allowed_apps': ['xterm']}, 'approval_overrides': {'left_click': 'notify_only'}}");
    g_autoptr(HfGrant) outer = hf_grant_new(document, NULL);
    g_autoptr(json_t) nothing = json_object();
    g_autoptr(HfGrant) same = hf_grant_shrink(outer, nothing, NULL);
    g_assert_true(json_equal(hf_grant_document(same), document));
    g_autoptr(json_t) less = load("{'tools': ['left_click'], 'restrictions': {'max_calls': 2}}");
    g_autoptr(HfGrant) inner = hf_grant_shrink(outer, less, NULL);
    g_autoptr(json_t) expected =
        load("{'tools': ['left_click'], 'restrictions': {'max_calls': 2, 'max_risk_level': "
             "'medium', 'allowed_apps': ['xterm']}, 'approval_overrides': {'left_click': "
             "'notify_only'}}");
    g_assert_true(json_equal(hf_grant_document(inner), expected));
    g_assert_true(hf_grant_contains(outer, inner, NULL));
    static const char *const more[] = {
        "{'tools': ['*']}",
        "{'restrictions': {'max_calls': 6}}",
        "{'restrictions': {'max_risk_level': 'critical'}}",
        "{'restrictions': {'allowed_apps': ['*']}}",
        "{'approval_overrides': {'left_click': 'auto_approve'}}",
        "{'restrictions': 7}",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(more); i++) {
        g_autoptr(json_t) wanted = load(more[i]);
        g_test_message("%s", more[i]);
        g_assert_null(hf_grant_shrink(outer, wanted, NULL));
    }
}

static void test_toolsets(void)
{
    const char *name;
    json_t *toolset, *word;
    size_t index;
    json_object_foreach ((json_t *)hf_toolsets(), name, toolset)
        json_array_foreach (json_object_get(toolset, "tools"), index, word)
            g_assert_true(hf_toolset_is_known(json_string_value(word)));
    const HfTool *look = hf_registry_find("screenshot"), *click = hf_registry_find("left_click");
    g_assert_true(hf_toolset_has("toolset:look", look));
    g_assert_true(hf_toolset_has("toolset:operate", look));
    g_assert_false(hf_toolset_has("toolset:look", click));
    g_assert_true(hf_toolset_has("mouse", click));
    g_assert_false(hf_toolset_has("toolset:nope", click));
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        if (hf_toolset_has("toolset:look", *tool))
            g_assert_true((*tool)->flags & HF_TOOL_READ_ONLY);
}

static void make_folder(void)
{
    folder = g_dir_make_tmp("hf-grant-XXXXXX", NULL);
    g_autofree char *real = g_build_filename(folder, "real", NULL);
    g_autofree char *sub = g_build_filename(real, "sub", NULL);
    g_assert_cmpint(g_mkdir_with_parents(sub, 0700), ==, 0);
    static const char *const links[][2] = {{"link", "real"},
                                           {"real/out", "/"},
                                           {"real/loop", "loop"},
                                           {"real/dangling", "../nowhere"}};
    for (gsize i = 0; i < G_N_ELEMENTS(links); i++) {
        g_autofree char *path = g_build_filename(folder, links[i][0], NULL);
        g_assert_cmpint(symlink(links[i][1], path), ==, 0);
    }
}

static void remove_folder(void)
{
    static const char *const names[] = {"link",     "real/out", "real/loop", "real/dangling",
                                        "real/sub", "real",     ""};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        g_assert_cmpint(g_remove(path), ==, 0);
    }
    g_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    make_folder();
    g_test_add_func("/grant/documents", test_documents);
    g_test_add_func("/grant/contains", test_contains);
    g_test_add_func("/grant/shrink", test_shrink);
    g_test_add_func("/grant/toolsets", test_toolsets);
    int status = g_test_run();
    remove_folder();
    return status;
}
