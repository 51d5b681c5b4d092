/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of grants for launched programs, as a table. */
#include "desk/guard/policy/launch-bounds.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

#define DIRECTORIES "'allowed_directories': ['/usr/share']"
#define DOMAINS     "'allowed_domains': ['*.example.com']"
#define APPS        "'allowed_apps': ['mouse*', '/opt/mine/tool']"

#define EDITOR  "'executable': '/usr/bin/mousepad', 'names': ['mousepad'], 'titles': ['org.Mouse']"
#define BROWSER "'executable': '/usr/bin/web', 'names': ['chromium'], 'titles': ['web']"
#define SHELL   "'executable': '/usr/bin/dash', 'names': ['dash', 'sh'], 'titles': []"
#define OWN     "'executable': '/opt/mine/tool', 'names': ['tool'], 'titles': []"
#define COPY    "'executable': '/home/u/mousepad', 'names': ['mousepad'], 'titles': []"
#define APP     "'system': true, 'application': true"
#define COMMAND "'system': true, 'application': false"
#define FOREIGN "'system': false, 'application': false"
#define PASSES  HF_ERROR_COUNT
#define NO      HF_ERROR_FORBIDDEN
#define NO_APP  HF_ERROR_APP_NOT_ALLOWED

static const struct {
    const char *bounds, *program, *kind, *arguments;
    HfErrorCode code;
} rows[] = {
    {DIRECTORIES, EDITOR, APP, "", PASSES},
    {DIRECTORIES, EDITOR, APP, "'/usr/share/doc/a'", PASSES},
    {DIRECTORIES, EDITOR, APP, "'/etc/passwd'", NO},
    {DIRECTORIES, EDITOR, APP, "'/usr/share/../lib/a'", NO},
    {DIRECTORIES, EDITOR, APP, "'doc/a'", PASSES},
    {DIRECTORIES, EDITOR, APP, "'../lib/a'", NO},
    {DIRECTORIES, EDITOR, APP, "'~/a'", NO},
    {DIRECTORIES, EDITOR, APP, "'file:///usr/share/a'", PASSES},
    {DIRECTORIES, EDITOR, APP, "'file:/etc/passwd'", NO},
    {DIRECTORIES, EDITOR, APP, "'file://localhost/etc/passwd'", NO},
    {DIRECTORIES, EDITOR, APP, "'FILE:///etc/passwd'", NO},
    {DIRECTORIES, EDITOR, APP, "'file:///usr/share/%2e%2e/lib/a'", NO},
    {DIRECTORIES, EDITOR, APP, "'--name=/etc/passwd'", NO},
    {DIRECTORIES, EDITOR, APP, "'--name=/usr/share/a'", PASSES},
    {DIRECTORIES, EDITOR, APP, "'--unknown'", NO},
    {DIRECTORIES, EDITOR, APP, "'https://example.org/'", PASSES},
    {DIRECTORIES, SHELL, COMMAND, "", NO},
    {DIRECTORIES, COPY, FOREIGN, "", NO},
    {DOMAINS, BROWSER, APP, "'https://a.example.com/x'", PASSES},
    {DOMAINS, BROWSER, APP, "'https://a.example.com@evil.org/'", NO},
    {DOMAINS, BROWSER, APP, "'a.example.com'", NO},
    {DOMAINS, BROWSER, APP, "'--incognito', 'https://a.example.com/'", NO},
    {DOMAINS, BROWSER, APP, "", NO},
    {DOMAINS, EDITOR, APP, "", NO},
    {DOMAINS, SHELL, COMMAND, "", NO},
    {APPS, EDITOR, APP, "", PASSES},
    {APPS, COPY, FOREIGN, "", NO_APP},
    {APPS, OWN, FOREIGN, "", PASSES},
    {APPS, SHELL, COMMAND, "", NO_APP},
    {APPS ", " DIRECTORIES, EDITOR, APP, "'/etc/passwd'", NO},
};

static json_t *parse_quoted(const char *text)
{
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    json_t *value = json_loads(json, 0, NULL);
    g_assert_nonnull(value);
    return value;
}

static void test_bounds(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *grant =
            g_strdup_printf("{'tools': ['*'], 'restrictions': {%s}}", rows[i].bounds);
        g_autofree char *facts = g_strdup_printf(
            "{%s, %s, 'arguments': [%s], 'directory': '/usr/share', 'home': '/root'}",
            rows[i].program, rows[i].kind, rows[i].arguments);
        g_autoptr(json_t) document = parse_quoted(grant);
        g_autoptr(json_t) program = parse_quoted(facts);
        HfGrantEntry entry = {.id = "g", .grant = hf_grant_new(document, NULL)};
        g_test_message("%s: %s %s", rows[i].bounds, rows[i].program, rows[i].arguments);
        gboolean passed = hf_launch_check_bounds(&entry, program, &error);
        g_assert_cmpint(passed, ==, rows[i].code == PASSES);
        if (!passed)
            g_assert_error(error, HF_ERROR, (int)rows[i].code);
        hf_grant_unref(entry.grant);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch-bounds/table", test_bounds);
    return g_test_run();
}
