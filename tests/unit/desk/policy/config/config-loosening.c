/* SPDX-License-Identifier: Apache-2.0 */
/* Which changes of which fields are held back, and what takes effect instead. */
#include "desk/policy/config/config-loosening.h"

#include "desk/policy/config/config-fields.h"
#include "desk/policy/config/config.h"
#include "shared/base/json.h"

/* `effect`: what holds afterwards. Held is what is not `wanted` then. */
static const struct {
    const char *what, *accepted, *wanted, *effect;
} cases[] = {
    {"nothing", "{}", "{}", "{}"},
    {"a higher level", "{}", "{'security': {'client_level': 'L3'}}", "{}"},
    {"a lower level", "{}", "{'security': {'client_level': 'L1'}}",
     "{'security': {'client_level': 'L1'}}"},
    {"both at once", "{}", "{'security': {'client_level': 'L4', 'permission_level': 'L2'}}",
     "{'security': {'permission_level': 'L2'}}"},
    {"back to a looser default", "{'security': {'client_level': 'L1'}}", "{}",
     "{'security': {'client_level': 'L1'}}"},
    {"a milder template", "{}", "{'projects': {'default_approval_template': 'full-auto'}}", "{}"},
    {"its other name", "{}", "{'projects': {'default_approval_template': '全自动'}}", "{}"},
    {"a stricter template", "{}", "{'projects': {'default_approval_template': 'watch'}}",
     "{'projects': {'default_approval_template': 'watch'}}"},
    {"a directory more and one less", "{'security': {'allowed_directories': ['/a', '/b']}}",
     "{'security': {'allowed_directories': ['/b', '/c']}}",
     "{'security': {'allowed_directories': ['/b']}}"},
    {"only other directories", "{'security': {'allowed_directories': ['/a']}}",
     "{'security': {'allowed_directories': ['/c']}}",
     "{'security': {'allowed_directories': ['/a']}}"},
    {"no directory", "{'security': {'allowed_directories': ['/a']}}",
     "{'security': {'allowed_directories': []}}", "{'security': {'allowed_directories': []}}"},
    {"a program instead of all", "{}", "{'security': {'bridge': {'allowed_programs': ['/a']}}}",
     "{'security': {'bridge': {'allowed_programs': ['/a']}}}"},
    {"all programs", "{'security': {'bridge': {'allowed_programs': ['/a']}}}", "{}",
     "{'security': {'bridge': {'allowed_programs': ['/a']}}}"},
    {"a first domain", "{}", "{'security': {'allowed_domains': ['a.b']}}",
     "{'security': {'allowed_domains': ['a.b']}}"},
    {"no domain: all of them", "{'security': {'allowed_domains': ['a.b']}}", "{}",
     "{'security': {'allowed_domains': ['a.b']}}"},
    {"another domain", "{'security': {'allowed_domains': ['a.b']}}",
     "{'security': {'allowed_domains': ['c.d']}}", "{'security': {'allowed_domains': ['a.b']}}"},
    {"a blocked title more and one less", "{'security': {'blocked_titles': ['a', 'b']}}",
     "{'security': {'blocked_titles': ['c', 'b']}}",
     "{'security': {'blocked_titles': ['c', 'b', 'a']}}"},
    {"audit off", "{}", "{'audit': {'enabled': false}}", "{}"},
    {"audit on", "{'audit': {'enabled': false}}", "{}", "{}"},
    {"a limit raised", "{}", "{'limits': {'global': {'per_minute': 31}}}", "{}"},
    {"a limit removed", "{}", "{'limits': {'global': {'per_minute': 0}}}", "{}"},
    {"a limit lowered", "{}", "{'limits': {'global': {'per_minute': 2}}}",
     "{'limits': {'global': {'per_minute': 2}}}"},
    {"a limit of a tool", "{}", "{'limits': {'tools': {'x': {'per_day': 2}}}}",
     "{'limits': {'tools': {'x': {'per_day': 2}}}}"},
    {"and without", "{'limits': {'tools': {'x': {'per_day': 2}}}}", "{}",
     "{'limits': {'tools': {'x': {'per_day': 2}}}}"},
    {"one phase", "{'approval': {'two_phase': 'high'}}", "{}",
     "{'approval': {'two_phase': 'high'}}"},
    {"two phases", "{}", "{'approval': {'two_phase': 'critical'}}",
     "{'approval': {'two_phase': 'critical'}}"},
    {"a client's level", "{'clients': {'a': {'level': 'L1'}}}",
     "{'clients': {'a': {'level': 'L3'}}}", "{'clients': {'a': {'level': 'L1'}}}"},
    {"a client's level of its own", "{}", "{'clients': {'a': {'level': 'L3'}}}",
     "{'clients': {'a': {}}}"},
    {"the lowest", "{}", "{'clients': {'a': {'level': 'L1'}}}",
     "{'clients': {'a': {'level': 'L1'}}}"},
    {"a client removed", "{'clients': {'a': {'level': 'L1', 'require_nonce': true}}}", "{}",
     "{'clients': {'a': {'level': 'L1', 'require_nonce': true}}}"},
    {"may_approve", "{}", "{'clients': {'a': {'may_approve': true}}}", "{'clients': {'a': {}}}"},
    {"not any more", "{'clients': {'a': {'may_approve': true}}}", "{}", "{}"},
    {"a nonce", "{}", "{'clients': {'a': {'require_nonce': true}}}",
     "{'clients': {'a': {'require_nonce': true}}}"},
    {"a pinned program", "{}", "{'clients': {'a': {'program': '/p'}}}",
     "{'clients': {'a': {'program': '/p'}}}"},
    {"another program", "{'clients': {'a': {'program': '/p'}}}",
     "{'clients': {'a': {'program': '/q'}}}", "{'clients': {'a': {'program': '/p'}}}"},
    {"an override", "{}",
     "{'projects': {'items': {'p': {'approval': {'tool_overrides': {'x': 'auto_approve'}}}}}}",
     "{'projects': {'items': {'p': {}}}}"},
    {"that blocks", "{}",
     "{'projects': {'items': {'p': {'approval': {'tool_overrides': {'x': 'always_block'}}}}}}",
     "{'projects': {'items': {'p': {'approval': {'tool_overrides': {'x': 'always_block'}}}}}}"},
    {"no mask", "{'privacy': {'blur': [{'window': {'title': 'a'}}]}}", "{}",
     "{'privacy': {'blur': [{'window': {'title': 'a'}}]}}"},
    {"an address", "{}", "{'http': {'listen': '0.0.0.0', 'allow': ['::1', '0.0.0.0/0']}}",
     "{'http': {'allow': ['::1']}}"},
    {"the stop key", "{}", "{'stop': {'hotkey': 'f24'}}", "{}"},
    {"colours", "{}", "{'ui': {'theme': 'dark'}}", "{'ui': {'theme': 'dark'}}"},
};

static HfConfig *config_of(const char *text)
{
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    g_autoptr(json_t) document = json_loads(json, 0, NULL);
    g_autoptr(GError) error = NULL;
    g_assert_nonnull(document);
    HfConfig *config = hf_config_new(document, NULL, NULL, &error);
    g_assert_no_error(error);
    return config;
}

/* Objects without members say nothing. */
static json_t *dup_reduced(const json_t *document)
{
    json_t *reduced = hf_config_dup_without_defaults(document);
    static const char *const maps[] = {"clients", "projects", "limits"};
    for (gsize i = 0; i < G_N_ELEMENTS(maps); i++) {
        json_t *map = json_object_get(reduced, maps[i]), *inner;
        const char *name;
        void *next;
        json_object_foreach_safe (map, next, name, inner)
            if (json_is_object(inner) && json_object_size(inner) == 0)
                json_object_del(map, name);
        if (map && json_object_size(map) == 0)
            json_object_del(reduced, maps[i]);
    }
    return reduced;
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].what);
        g_autoptr(HfConfig) accepted = config_of(cases[i].accepted);
        g_autoptr(HfConfig) wanted = config_of(cases[i].wanted);
        g_autoptr(HfConfig) effect = config_of(cases[i].effect);
        g_autoptr(json_t) held = json_array(), none = json_array();
        g_autoptr(json_t) merged = hf_config_hold_loosening(hf_config_document(accepted),
                                                            hf_config_document(wanted), none, held);
        g_autoptr(json_t) got = dup_reduced(merged),
                          expected = dup_reduced(hf_config_document(effect)),
                          asked = dup_reduced(hf_config_document(wanted));
        g_autofree char *text = hf_json_dump(got), *right = hf_json_dump(expected);
        g_test_message("%s, expected %s", text, right);
        g_assert_true(json_equal(got, expected));
        g_assert_true((json_array_size(held) > 0) == !json_equal(asked, expected));
    }
}

static void test_free_fields(void)
{
    g_autoptr(HfConfig) accepted = config_of("{}");
    g_autoptr(HfConfig) wanted =
        config_of("{'security': {'client_level': 'L4'}, 'audit': {'enabled': false}}");
    g_autoptr(json_t) held = json_array(), free_fields = json_pack("[s]", "security.client_level");
    g_autoptr(json_t) merged = hf_config_hold_loosening(
        hf_config_document(accepted), hf_config_document(wanted), free_fields, held);
    g_assert_cmpint(json_array_size(held), ==, 1);
    g_assert_cmpstr(hf_json_string(json_array_get(held, 0), "field", ""), ==, "audit.enabled");
    g_assert_cmpstr(hf_json_string(json_object_get(merged, "security"), "client_level", ""), ==,
                    "L4");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/config-loosening/cases", test_cases);
    g_test_add_func("/config-loosening/free-fields", test_free_fields);
    return g_test_run();
}
