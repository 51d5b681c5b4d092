/* SPDX-License-Identifier: Apache-2.0 */
/* Every tool declares every fact; schemas and command lines can be made from all of them. */
#include "shared/tool/registry.h"

#include "cli/tool-arguments.h"
#include "shared/base/json.h"
#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"
#include "shared/tool/schema.h"
#include "shared/tool/undo-reason.h"

static void check_table(const char *tool, const HfParam *table)
{
    for (const HfParam *param = table; param->name; param++) {
        g_test_message("%s.%s", tool, param->name);
        g_assert_cmpint(param->type, !=, HF_TYPE_NONE);
        g_assert_true(param->about || param->type == HF_TYPE_OBJECT);
        if (param->fallback) {
            g_autoptr(json_t) fallback = json_loads(param->fallback, JSON_DECODE_ANY, NULL);
            g_assert_nonnull(fallback);
            const HfParam alone[] = {*param, {0}};
            g_autoptr(json_t) object = json_pack("{s:O}", param->name, fallback);
            g_assert_true(hf_check_result(alone, object, NULL));
            g_assert_false(param->required);
        }
        if (param->type == HF_TYPE_ARRAY)
            g_assert_nonnull(param->items);
        if (param->fields)
            check_table(tool, param->fields);
    }
}

static gboolean is_free_text(const HfParam *param)
{
    return param && param->type == HF_TYPE_STRING && !param->choices;
}

/* The rules must know what a free text is to them. */
static void check_means(const HfTool *tool)
{
    for (const HfParam *param = tool->params; param->name; param++) {
        g_test_message("%s.%s", tool->name, param->name);
        gboolean list = param->type == HF_TYPE_ARRAY && is_free_text(param->items);
        if (is_free_text(param) || list)
            g_assert_cmpint(param->means, !=, HF_MEANS_NONE);
    }
}

/* Something is declared: either that there is none, or which. */
static void check_bits(unsigned bits, unsigned none)
{
    g_assert_cmpuint(bits, !=, 0);
    g_assert_true(!(bits & none) || bits == none);
}

static void test_facts(void)
{
    for (const HfTool *const *each = hf_registry(); *each; each++) {
        const HfTool *tool = *each;
        g_test_message("%s", tool->name);
        g_assert_true(tool->title && tool->summary && tool->params && tool->result);
        g_assert_true((tool->run != NULL) != (tool->service != HF_SERVICE_NONE));
        g_assert_cmpint(tool->category, >, HF_CATEGORY_NONE);
        g_assert_cmpint(tool->risk, >, HF_RISK_NONE);
        g_assert_cmpint(tool->level, >, HF_LEVEL_NONE);
        g_assert_cmpint(tool->needs, >, HF_NEEDS_NONE);
        g_assert_cmpint(tool->channel, >, HF_CHANNEL_NONE);
        g_assert_cmpint(tool->target, >, HF_TARGET_NONE);
        g_assert_cmpint(tool->pace, >, HF_PACE_NONE);
        g_assert_cmpint(tool->verifies, >, HF_VERIFY_NONE);
        g_assert_true(!hf_tool_verifies(tool) || !(tool->flags & HF_TOOL_READ_ONLY));
        check_bits(tool->reads, HF_READS_NOTHING);
        check_bits(tool->effects, HF_EFFECT_NONE);
        g_assert_cmpuint(tool->timeout_ms, >, 0);
        g_assert_true(hf_registry_find(tool->name) == tool);
        check_table(tool->name, tool->params);
        check_means(tool);
        check_table(tool->name, tool->result);
        g_autoptr(json_t) schema = hf_schema_of_tool(tool);
        g_assert_nonnull(schema);
    }
}

static void test_names(void)
{
    g_assert_null(hf_registry_find(""));
    g_assert_null(hf_registry_find("no_such_tool"));
    g_assert_null(hf_registry_find("screensho"));
    g_assert_null(hf_registry_find("screenshots"));
    g_assert_true(hf_registry_find("left-click") == hf_registry_find("left_click"));
}

static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam params[] = {
    {.name = "x", .type = HF_TYPE_NUMBER},
    {.name = "y", .type = HF_TYPE_NUMBER},
    {.name = "text", .type = HF_TYPE_STRING, .required = TRUE},
    {.name = "smooth", .type = HF_TYPE_BOOLEAN},
    {.name = "max_size", .type = HF_TYPE_INTEGER},
    {.name = "region", .type = HF_TYPE_OBJECT},
    {.name = "keys", .type = HF_TYPE_ARRAY, .items = &word, .required = TRUE},
    {0},
};
static const HfTool tool = {.name = "sample", .params = params};

static const struct {
    const char *line;
    const char *json; /* NULL: refused */
} lines[] = {
    {"", "{}"},
    {"10 20.5 hello", "{\"x\":10,\"y\":20.5,\"text\":\"hello\"}"},
    {"--text hello --smooth", "{\"text\":\"hello\",\"smooth\":true}"},
    {"--text=a=b --no-smooth", "{\"text\":\"a=b\",\"smooth\":false}"},
    {"--smooth false --max-size 0x10", "{\"smooth\":false,\"max_size\":16}"},
    {"--keys ctrl --keys c", "{\"keys\":[\"ctrl\",\"c\"]}"},
    {"--keys [\"ctrl\",\"c\"]", "{\"keys\":[\"ctrl\",\"c\"]}"},
    {"1 2 t ctrl c", "{\"x\":1,\"y\":2,\"text\":\"t\",\"keys\":[\"ctrl\",\"c\"]}"},
    {"--region {\"x\":1}", "{\"region\":{\"x\":1}}"},
    {"--text -5 -- 7", "{\"text\":\"-5\",\"x\":7}"},
    {"1 2 -- --text", "{\"x\":1,\"y\":2,\"text\":\"--text\"}"},
    {"-5 -6", "{\"x\":-5,\"y\":-6}"},
    {"--desktop v1", "{\"desktop\":\"v1\"}"},
    {"--nope 1", NULL},
    {"--no-text", NULL},
    {"--text", NULL},
    {"ten", NULL},
    {"--max_size 1.5", NULL},
    {"--max_size 1x", NULL},
    {"--region 5x5", NULL},
};

/* Whoever changes something and says no way back has a reason for it. */
static void test_undo_reasons(void)
{
    for (const HfTool *const *each = hf_registry(); *each; each++) {
        const char *reason = hf_tool_undo_reason(*each);
        gboolean changes = !((*each)->flags & HF_TOOL_READ_ONLY) && !(*each)->service;
        g_test_message("%s: %s", (*each)->name, reason ? reason : "none");
        g_assert_cmpint(reason != NULL, ==, changes);
    }
}

static void test_command_lines(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_auto(GStrv) argv = g_strsplit(lines[i].line, " ", -1);
        int argc = lines[i].line[0] ? (int)g_strv_length(argv) : 0;
        g_auto(HfToolArguments) args = {0};
        g_test_message("%s", lines[i].line);
        gboolean parsed = hf_tool_arguments_parse(&args, &tool, argc, argv, NULL);
        g_assert_cmpint(parsed, ==, lines[i].json != NULL);
        if (!parsed)
            continue;
        g_autoptr(json_t) expected = json_loads(lines[i].json, 0, NULL);
        g_assert_true(json_equal(args.params, expected));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/registry/facts", test_facts);
    g_test_add_func("/registry/names", test_names);
    g_test_add_func("/registry/undo-reasons", test_undo_reasons);
    g_test_add_func("/registry/command-lines", test_command_lines);
    return g_test_run();
}
