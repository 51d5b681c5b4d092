/* SPDX-License-Identifier: Apache-2.0 */
/* The agreement's document: what is refused and where, what holds by default, what the
 * administrator's policy decides, and how files are read and written. */
#include "desk/policy/config/config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config-file.h"
#include "desk/policy/config/config-limits.h"
#include "desk/policy/config/live-config.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"

static const struct {
    const char *document;
    const char *path; /* of the refusal; NULL: accepted */
    const char *says; /* part of the message */
} cases[] = {
    {"{}", NULL, NULL},
    {"{\"//\": \"a comment\", \"security\": {\"//\": [\"another\"]}}", NULL, NULL},
    {"{\"security\": {\"permission_level\": \"L4\", \"blocked_apps\": []}}", NULL, NULL},
    {"{\"clients\": {\"python3.11\": {\"level\": \"L1\"}, \"其他\": {}}}", NULL, NULL},
    {"{\"projects\": {\"default_approval_template\": \"开发模式\"}}", NULL, NULL},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"mode\": \"auto\", \"tool_overrides\": "
     "{\"bash_execute\": \"require_approval\"}}}}}}",
     NULL, NULL},
    {"{\"limits\": {\"tools\": {\"wait\": {\"per_minute\": 5}}}}", NULL, NULL},
    {"{\"secrity\": {}}", "secrity", "did you mean 'security'?"},
    {"{\"security\": {\"permision_level\": \"L1\"}}", "security.permision_level",
     "did you mean 'permission_level'?"},
    {"{\"security\": {\"wings\": 2}}", "security.wings", "there is no such field"},
    {"{\"security\": []}", "security", "expected an object"},
    {"{\"security\": {\"permission_level\": \"L5\"}}", "security.permission_level",
     "expected one of: L1, L2, L3, L4"},
    {"{\"security\": {\"permission_level\": 3}}", "security.permission_level", "expected a string"},
    {"{\"security\": {\"permission_level\": null}}", "security.permission_level",
     "expected a string"},
    {"{\"security\": {\"blocked_apps\": [\"a\", 7]}}", "security.blocked_apps[1]",
     "expected a string"},
    {"{\"security\": {\"allowed_directories\": [\"Projects\"]}}", "security.allowed_directories",
     "begins with / or ~/"},
    {"{\"clients\": {\"a\": {\"level\": \"L9\"}}}", "clients.a.level", "expected one of"},
    {"{\"clients\": {\"a\": {\"levl\": \"L1\"}}}", "clients.a.levl", "did you mean 'level'?"},
    {"{\"clients\": {\"a\": 1}}", "clients.a", "expected an object"},
    {"{\"clients\": {\"\": {}}}", "clients.", "expected a name"},
    {"{\"projects\": {\"default_approval_template\": \"yolo\"}}",
     "projects.default_approval_template", "expected one of"},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"risk_policies\": {\"high\": "
     "\"no\"}}}}}}",
     "projects.items.p.approval.risk_policies.high", "auto_approve"},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"tool_overrides\": {\"wait\": 1}}}}}}",
     "projects.items.p.approval.tool_overrides.wait", "expected a string"},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"confirm\": [{\"tool\": \"wait\"}]}}}}}",
     "projects.items.p.approval.confirm[0].memory", "is required"},
    {"{\"limits\": {\"global\": {\"per_minute\": -1}}}", "limits.global.per_minute", "expected 0"},
    {"{\"limits\": {\"tools\": {\"hotkye\": {\"per_day\": 1}}}}", "limits.tools.hotkye",
     "did you mean 'hotkey'?"},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"tool_overrides\": {\"left-click\": "
     "\"always_block\"}}}}}}",
     "projects.items.p.approval.tool_overrides.left-click", "did you mean 'left_click'?"},
    {"{\"projects\": {\"items\": {\"p\": {\"approval\": {\"confirm\": [{\"tool\": \"hotkeys\", "
     "\"memory\": \"always\"}]}}}}}",
     "projects.items.p.approval.confirm[0].tool", "did you mean 'hotkey'?"},
    {"{\"approval\": {\"timeout_s\": 0}}", "approval.timeout_s", "expected 1 to 86400"},
    {"{\"takeover\": {\"enabled\": \"yes\"}}", "takeover.enabled", "expected true or false"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"title\": \"Bank\"}}, {\"rect\": {\"x\": 0, \"y\": "
     "0, "
     "\"width\": 1, \"height\": 16384}, \"desktop\": \"main\"}, {\"window\": {\"app\": \"a\"}, "
     "\"corner\": \"top-right\", \"rect\": {\"x\": 5, \"y\": 5, \"width\": 9, \"height\": 9}}]}}",
     NULL, NULL},
    {"{\"privacy\": {\"blur\": {}}}", "privacy.blur", "expected an array"},
    {"{\"privacy\": {\"blur\": [\"Bank\"]}}", "privacy.blur[0]", "expected an object"},
    {"{\"privacy\": {\"blur\": [{}]}}", "privacy.blur[0]", "expected a window, a rect, or both"},
    {"{\"privacy\": {\"blur\": [{\"desktop\": \"main\"}]}}", "privacy.blur[0]",
     "expected a window"},
    {"{\"privacy\": {\"blur\": [{\"window\": {}}]}}", "privacy.blur[0]",
     "expected a title, an app, or both"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"title\": \"\"}}]}}", "privacy.blur[0].window.title",
     "at least 1"},
    {"{\"privacy\": {\"blur\": [{\"window\": \"Bank\"}]}}", "privacy.blur[0].window",
     "expected an object"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"titel\": \"a\"}}]}}",
     "privacy.blur[0].window.titel", "did you mean 'title'?"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"title\": \"a\"}}, {\"rect\": [0, 0, 9, 9]}]}}",
     "privacy.blur[1].rect", "expected an object"},
    {"{\"privacy\": {\"blur\": [{\"rect\": {\"x\": 0, \"y\": 0, \"width\": -5, \"height\": 9}}]}}",
     "privacy.blur[0].rect.width", "expected 1 to 16384, not -5"},
    {"{\"privacy\": {\"blur\": [{\"rect\": {\"x\": -1, \"y\": 0, \"width\": 5, \"height\": 9}}]}}",
     "privacy.blur[0].rect.x", "expected 0 to 16384"},
    {"{\"privacy\": {\"blur\": [{\"rect\": {\"x\": 0, \"y\": 0, \"width\": 5, \"height\": "
     "1e30}}]}}",
     "privacy.blur[0].rect.height", "expected 1 to 16384"},
    {"{\"privacy\": {\"blur\": [{\"rect\": {\"x\": 0, \"y\": 0, \"width\": 5}}]}}",
     "privacy.blur[0].rect.height", "is required"},
    {"{\"privacy\": {\"blur\": [{\"rect\": {\"x\": 0, \"y\": 0, \"width\": 5, \"height\": 9}, "
     "\"corner\": \"top-right\"}]}}",
     "privacy.blur[0]", "only goes with a rect within a window"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"title\": \"a\"}, \"corner\": \"top-right\"}]}}",
     "privacy.blur[0]", "only goes with a rect within a window"},
    {"{\"privacy\": {\"blur\": [{\"window\": {\"title\": \"a\"}, \"corner\": \"middle\"}]}}",
     "privacy.blur[0].corner", "expected one of: top-left"},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) document = json_loads(cases[i].document, 0, NULL);
        g_test_message("%s", cases[i].document);
        g_assert_nonnull(document);
        g_autoptr(HfConfig) config = hf_config_new(document, NULL, NULL, &error);
        if (!cases[i].path) {
            g_assert_no_error(error);
            g_assert_nonnull(config);
            continue;
        }
        g_assert_null(config);
        g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
        g_autoptr(json_t) wire = hf_error_to_json(error);
        g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "path", ""), ==,
                        cases[i].path);
        g_assert_nonnull(strstr(error->message, cases[i].says));
    }
}

static void test_defaults(void)
{
    g_autoptr(HfConfig) config = hf_config_new_default();
    g_assert_cmpstr(hf_config_string(config, "security.permission_level"), ==, "L3");
    g_assert_cmpstr(hf_config_string(config, "security.client_level"), ==, "L2");
    g_assert_cmpstr(hf_config_string(config, "projects.default_approval_template"), ==,
                    "development");
    g_assert_cmpstr(hf_config_string(config, "evidence.policy"), ==, "failures");
    g_assert_cmpint(hf_config_int(config, "limits.global.per_minute"), ==, 30);
    g_assert_cmpint(hf_config_int(config, "limits.target.per_day"), ==, 100);
    g_assert_cmpfloat(hf_config_number(config, "takeover.quiet_s"), ==, 5);
    g_assert_true(hf_config_bool(config, "takeover.enabled"));
    g_assert_cmpstr(hf_config_string(config, "storage.local_db_path"), ==, "");
    g_assert_null(hf_config_get(config, "storage.local_db_path"));
    g_assert_cmpuint(json_array_size(hf_config_get(config, "security.bridge.allowed_programs")), ==,
                     1);
    g_assert_cmpuint(strlen(hf_config_get_hash(config)), ==, 64);
    g_autoptr(json_t) none = json_object();
    g_autoptr(HfConfig) same = hf_config_new(none, NULL, NULL, NULL);
    g_assert_cmpstr(hf_config_get_hash(config), ==, hf_config_get_hash(same));
}

static void check_table(const HfParam *table)
{
    for (const HfParam *param = table; param->name; param++) {
        g_test_message("%s", param->name);
        g_assert_nonnull(param->about);
        if (param->type == HF_TYPE_ARRAY)
            g_assert_nonnull(param->items);
        if (param->fallback) {
            g_autoptr(json_t) value = json_loads(param->fallback, JSON_DECODE_ANY, NULL);
            const HfParam alone[] = {*param, {0}};
            g_autoptr(json_t) object = json_pack("{s:O}", param->name, value);
            g_assert_true(hf_check_result(alone, object, NULL));
        }
        const HfParam *below = param->fields                          ? param->fields
                               : param->items && param->items->fields ? param->items->fields
                                                                      : NULL;
        if (below)
            check_table(below);
    }
}

static void test_fields(void)
{
    check_table(hf_config_fields);
}

static void test_templates(void)
{
    const char *names[] = {"projects", "default_approval_template", NULL};
    const HfParam *field = hf_config_path_describe(names);
    guint known = 0;
    for (const char *const *name = field->choices; *name; name++, known++)
        g_assert_nonnull(hf_approval_template_find(*name));
    guint counted = 0;
    const char *key, *risk;
    json_t *template, *action;
    json_object_foreach ((json_t *)hf_approval_templates(), key, template) {
        counted += (guint)json_array_size(json_object_get(template, "names"));
        g_assert_cmpuint(json_object_size(json_object_get(template, "risk_policies")), ==, 4);
        json_object_foreach (json_object_get(template, "risk_policies"), risk, action)
            g_assert_true(g_strv_contains(hf_approval_actions, json_string_value(action)));
    }
    g_assert_cmpuint(counted, ==, known);
    g_assert_true(hf_approval_template_find("严格模式") == hf_approval_template_find("strict"));
    g_assert_null(hf_approval_template_find("Strict"));
}

static void test_approval_of_a_project(void)
{
    g_autoptr(json_t) document =
        json_loads("{\"projects\": {\"default_approval_template\": \"watch\", \"items\": {\"p\": "
                   "{\"template\": \"full-auto\", \"approval\": {\"risk_policies\": {\"high\": "
                   "\"always_block\"}, \"tool_overrides\": {\"wait\": \"notify_only\"}}}}}}",
                   0, NULL);
    g_autoptr(HfConfig) config = hf_config_new(document, NULL, NULL, NULL);
    g_autoptr(json_t) p = hf_config_dup_approval(config, "p");
    g_autoptr(json_t) other = hf_config_dup_approval(config, "q");
    g_autoptr(json_t) again = hf_config_dup_approval(config, "p");
    g_autoptr(json_t) expected = json_loads(
        "{\"mode\": \"auto\", \"risk_policies\": {\"low\": \"auto_approve\", \"medium\": "
        "\"auto_approve\", \"high\": \"always_block\", \"critical\": \"require_approval\"}, "
        "\"category_overrides\": {}, \"tool_overrides\": {\"wait\": \"notify_only\"}, \"tainted\": "
        "\"off\", \"confirm\": []}",
        0, NULL);
    g_assert_true(json_equal(p, expected));
    g_assert_true(json_equal(again, expected));
    g_assert_cmpstr(hf_json_string(other, "mode", ""), ==, "locked");
}

static const struct {
    const char *own, *policy;
    const char *refused; /* the field; NULL: accepted */
    const char *path, *value;
} locks[] = {
    {"{}", "{\"security\": {\"permission_level\": \"L1\"}}", NULL, "security.permission_level",
     "\"L1\""},
    {"{\"security\": {\"permission_level\": \"L1\"}}",
     "{\"security\": {\"permission_level\": \"L1\"}}", NULL, "security.permission_level", "\"L1\""},
    {"{\"security\": {\"permission_level\": \"L4\"}}",
     "{\"security\": {\"permission_level\": \"L1\"}}", "security.permission_level", NULL, NULL},
    {"{\"security\": {\"client_level\": \"L4\"}}", "{\"security\": {\"permission_level\": \"L1\"}}",
     NULL, "security.client_level", "\"L4\""},
    {"{\"security\": {\"blocked_apps\": [\"x\"]}}", "{\"security\": {\"blocked_apps\": [\"y\"]}}",
     "security.blocked_apps", NULL, NULL},
    {"{\"projects\": {\"items\": {\"p\": {\"template\": \"full-auto\"}}}}",
     "{\"projects\": {\"items\": {}}}", "projects.items", NULL, NULL},
    {"{\"clients\": {\"a.b\": {\"level\": \"L2\"}}}",
     "{\"clients\": {\"a.b\": {\"level\": \"L1\"}}}", "clients.\"a.b\".level", NULL, NULL},
    {"{\"clients\": {\"b\": {\"level\": \"L2\"}}}", "{\"clients\": {\"a\": {\"level\": \"L1\"}}}",
     NULL, "clients.a.level", "\"L1\""},
    {"{}", "{\"security\": {\"wings\": 2}}", "security.wings", NULL, NULL},
};

static void test_locks(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(locks); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) own = json_loads(locks[i].own, 0, NULL);
        g_autoptr(json_t) policy = json_loads(locks[i].policy, 0, NULL);
        g_test_message("%s under %s", locks[i].own, locks[i].policy);
        g_autoptr(HfConfig) config = hf_config_new(own, policy, "/etc/p.json", &error);
        if (locks[i].refused) {
            g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
            g_autoptr(json_t) wire = hf_error_to_json(error);
            g_assert_cmpstr(hf_json_string(json_object_get(wire, "details"), "path", ""), ==,
                            locks[i].refused);
            g_assert_nonnull(strstr(error->message, "/etc/p.json"));
            continue;
        }
        g_assert_no_error(error);
        g_autofree char *value = hf_json_dump(hf_config_get(config, locks[i].path));
        g_assert_cmpstr(value, ==, locks[i].value);
        g_assert_cmpuint(json_array_size(hf_config_get_locked(config)), ==, 1);
    }
}

/* ---- what is blurred ---- */

#define BLUR(TITLES) "{\"privacy\": {\"blur\": [" TITLES "]}}"
#define TITLE(TEXT)  "{\"window\": {\"title\": \"" TEXT "\"}}"

/* The administrator can add to the owner's list, and do nothing else to it. */
static const struct {
    const char *own, *policy;
    const char *titles; /* joined by |; NULL: refused */
} blurs[] = {
    {"{}", BLUR(TITLE("a")), "a"},
    {BLUR(TITLE("a")), "{}", "a"},
    {BLUR(TITLE("a")), BLUR(TITLE("b")), "b|a"},
    {BLUR(TITLE("a") "," TITLE("b")), BLUR(TITLE("b")), "b|a"},
    {BLUR(TITLE("a")), BLUR(""), "a"},
    {BLUR(TITLE("a")), "{\"privacy\": {}}", "a"},
    {BLUR(""), BLUR(TITLE("a")), "a"},
    {BLUR(TITLE("a")), BLUR("{}"), NULL},
    {"{}", "{}", ""},
};

static char *join_titles(const json_t *list)
{
    g_autoptr(GStrvBuilder) titles = g_strv_builder_new();
    size_t index;
    json_t *entry;
    json_array_foreach (list, index, entry)
        g_strv_builder_add(titles, hf_json_string(json_object_get(entry, "window"), "title", "?"));
    g_auto(GStrv) all = g_strv_builder_end(titles);
    return g_strjoinv("|", all);
}

static void test_blur(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(blurs); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) own = json_loads(blurs[i].own, 0, NULL);
        g_autoptr(json_t) policy = json_loads(blurs[i].policy, 0, NULL);
        g_test_message("%s under %s", blurs[i].own, blurs[i].policy);
        g_autoptr(HfConfig) config = hf_config_new(own, policy, "/etc/p.json", &error);
        if (!blurs[i].titles) {
            g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
            g_assert_true(g_str_has_prefix(error->message, "/etc/p.json: privacy.blur[0]: "));
            continue;
        }
        g_assert_no_error(error);
        g_autofree char *titles = join_titles(hf_config_get(config, "privacy.blur"));
        g_assert_cmpstr(titles, ==, blurs[i].titles);
        g_assert_cmpuint(json_array_size(hf_config_get_locked(config)), ==, 0);
    }
}

static json_t *many(guint first, guint count)
{
    json_t *list = json_array();
    for (guint i = first; i < first + count; i++) {
        g_autofree char *title = g_strdup_printf("t%u", i);
        json_array_append_new(list, json_pack("{s:{s:s}}", "window", "title", title));
    }
    return json_pack("{s:{s:o}}", "privacy", "blur", list);
}

static void test_too_much_blur(void)
{
    static const struct {
        guint own, policy;
        gboolean fits;
    } counts[] = {{HF_LIMIT_BLUR_LIST, 0, TRUE},
                  {HF_LIMIT_BLUR_LIST + 1, 0, FALSE},
                  {10000, 0, FALSE},
                  {0, 10000, FALSE},
                  {HF_LIMIT_BLUR_LIST, 1, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) own = many(0, counts[i].own);
        g_autoptr(json_t) policy = many(20000, counts[i].policy);
        g_autoptr(HfConfig) config = hf_config_new(own, policy, "/etc/p.json", &error);
        g_assert_cmpint(config != NULL, ==, counts[i].fits);
        if (!counts[i].fits)
            g_assert_nonnull(strstr(error->message, "privacy.blur: "));
    }
}

static void test_blur_of_a_desktop(void)
{
    g_autoptr(json_t) list = json_loads("[{\"window\": {\"title\": \"a\"}, \"desktop\": \"main\"}, "
                                        "{\"window\": {\"title\": \"b\"}}]",
                                        0, NULL);
    g_autoptr(json_t) main = hf_config_privacy_list_for(list, "main");
    g_autoptr(json_t) other = hf_config_privacy_list_for(list, "other");
    g_autofree char *titles = join_titles(main), *others = join_titles(other);
    g_assert_cmpstr(titles, ==, "a|b");
    g_assert_cmpstr(others, ==, "b");
    json_array_remove(list, 1);
    g_assert_null(hf_config_privacy_list_for(list, "other"));
}

static const struct {
    const char *path;
    const char *names; /* joined by |; NULL: refused */
} paths[] = {
    {"a", "a"},
    {"a.b.c", "a|b|c"},
    {"clients.\"python3.11\".level", "clients|python3.11|level"},
    {"\"a\"", "a"},
    {"", NULL},
    {".", NULL},
    {"a.", NULL},
    {".a", NULL},
    {"a..b", NULL},
    {"a.\"b", NULL},
    {"a.\"\"", NULL},
    {"a.\"b\"c", NULL},
    {"a\"b", NULL},
};

static void test_paths(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_test_message("%s", paths[i].path);
        g_auto(GStrv) names = hf_config_path_split(paths[i].path, NULL);
        g_autofree char *joined = names ? g_strjoinv("|", names) : NULL;
        g_assert_cmpstr(joined, ==, paths[i].names);
    }
    const char *deep[] = {"a", "b", "c", NULL}, *through[] = {"a", "b", "c", "d", NULL};
    g_autoptr(json_t) document = json_object();
    g_assert_true(hf_config_path_set(document, deep, json_integer(1)));
    g_assert_false(hf_config_path_set(document, through, json_integer(2)));
    g_assert_cmpint(json_integer_value(hf_config_path_get(document, deep)), ==, 1);
    g_assert_true(hf_config_path_set(document, deep, NULL));
    g_assert_null(hf_config_path_get(document, deep));
}

typedef struct Place {
    char *folder, *path, *policy;
} Place;

static void set_up(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-config-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "config.json", NULL);
    place->policy = g_build_filename(place->folder, "policy.json", NULL);
}

static void tear_down(Place *place, gconstpointer unused)
{
    g_remove(place->path);
    g_rmdir(place->path);
    g_remove(place->policy);
    g_assert_cmpint(g_rmdir(place->folder), ==, 0); /* no temporary file is left */
    g_free(place->folder);
    g_free(place->path);
    g_free(place->policy);
}

static void put(const char *path, const char *text, gsize size)
{
    g_assert_true(g_file_set_contents_full(path, text, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT,
                                           0600, NULL));
}

static void refuses(Place *place, const char *says)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_config_load(place->path, place->policy, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, says));
    g_assert_nonnull(strstr(error->message, place->path));
}

static void test_files(Place *place, gconstpointer unused)
{
    g_autoptr(HfConfig) none = hf_config_load(place->path, place->policy, NULL);
    g_assert_nonnull(none);
    static const struct {
        const char *text, *says;
    } broken[] = {
        {"", "line 1"},
        {"{", "line 1"},
        {"{\n\"a\": 1,\n}", "line 3"},
        {"[]", "expected an object"},
        {"7", "'[' or '{' expected"},
        {"{\"security\": {}, \"security\": {}}", "duplicate"},
        {"{\"version\": \"\xff\xfe\"}", "UTF-8"},
        {"{\"version\": \"a\\u0000b\"}", "line 1"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(broken); i++) {
        put(place->path, broken[i].text, strlen(broken[i].text));
        refuses(place, broken[i].says);
    }
    g_autofree char *huge = g_strnfill(HF_LIMIT_CONFIG_BYTES + 1, ' ');
    put(place->path, huge, HF_LIMIT_CONFIG_BYTES + 1);
    refuses(place, "1 MiB");
    g_autoptr(GString) deep = g_string_new("{\"clients\":");
    for (int i = 0; i < 1000; i++)
        g_string_append(deep, "{\"a\":");
    g_string_append(deep, "1");
    for (int i = 0; i < 1001; i++)
        g_string_append(deep, "}");
    put(place->path, deep->str, deep->len);
    refuses(place, "nests deeper");
}

static void test_strange_files(Place *place, gconstpointer unused)
{
    put(place->path, "{}", 2);
    g_chmod(place->path, 0622);
    refuses(place, "other users may write");
    g_remove(place->path);
    g_assert_cmpint(symlink("/dev/null", place->path), ==, 0);
    refuses(place, "link");
    g_remove(place->path);
    g_mkdir(place->path, 0700);
    refuses(place, "directory");
    g_rmdir(place->path);
    g_assert_cmpint(mkfifo(place->path, 0600), ==, 0);
    refuses(place, "regular file");
    g_remove(place->path);
    if (geteuid() != 0) {
        put(place->path, "{}", 2);
        g_chmod(place->path, 0);
        refuses(place, "ermission");
    }
}

static void test_write(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(hf_live_config_set_in_file(place->path, place->policy, "ui.theme",
                                             json_string("dark"), &error));
    g_assert_no_error(error);
    struct stat info;
    g_assert_cmpint(stat(place->path, &info), ==, 0);
    g_assert_cmpint(info.st_mode & 0777, ==, 0600);
    g_assert_true(hf_live_config_set_in_file(place->path, place->policy, "clients.\"a.b\".level",
                                             json_string("L1"), &error));
    g_assert_false(hf_live_config_set_in_file(place->path, place->policy, "ui.theme",
                                              json_string("pink"), &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFIG_INVALID);
    g_clear_error(&error);
    g_assert_false(
        hf_live_config_set_in_file(place->path, place->policy, "ui.theme.x", json_true(), &error));
    g_clear_error(&error);
    g_autoptr(json_t) document = hf_config_file_read(place->path, &error);
    g_autofree char *text = hf_json_dump(document);
    g_assert_cmpstr(text, ==,
                    "{\"ui\":{\"theme\":\"dark\"},\"clients\":{\"a.b\":{\"level\":\"L1\"}}}");
    g_assert_true(hf_live_config_set_in_file(place->path, place->policy, "ui.theme", NULL, &error));
    g_autoptr(HfConfig) config = hf_config_load(place->path, place->policy, &error);
    g_assert_cmpstr(hf_config_string(config, "ui.theme"), ==, "system");
    g_assert_false(hf_live_config_set_in_file("/proc/x/config.json", place->policy, "ui.theme",
                                              json_string("dark"), &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/config/cases", test_cases);
    g_test_add_func("/config/defaults", test_defaults);
    g_test_add_func("/config/fields", test_fields);
    g_test_add_func("/config/templates", test_templates);
    g_test_add_func("/config/approval", test_approval_of_a_project);
    g_test_add_func("/config/locks", test_locks);
    g_test_add_func("/config/blur", test_blur);
    g_test_add_func("/config/too-much-blur", test_too_much_blur);
    g_test_add_func("/config/blur-of-a-desktop", test_blur_of_a_desktop);
    g_test_add_func("/config/paths", test_paths);
    g_test_add("/config/files", Place, NULL, set_up, test_files, tear_down);
    g_test_add("/config/strange-files", Place, NULL, set_up, test_strange_files, tear_down);
    g_test_add("/config/write", Place, NULL, set_up, test_write, tear_down);
    return g_test_run();
}
