/* `handfast grant new|list|show|revoke`. Only words are turned into a grant here; whether it may be
 * given is the desk's to say. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/i18n.h"
#include "base/json.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"

typedef struct Options {
    char **tools, **directories, **domains, **apps, **overrides;
    char *from, *max_risk, *expires, *workspace;
    gint64 max_calls;
    gboolean json;
} Options;

static gboolean parse(int *argc, char ***argv, Options *options, GError **error)
{
    GOptionEntry entries[] = {
        {"tools", 't', 0, G_OPTION_ARG_STRING_ARRAY, &options->tools,
         "Tools, categories, toolset:NAME or *, with commas", "LIST"},
        {"dir", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->directories, "Only files in DIR", "DIR"},
        {"domain", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->domains, "Only this domain", "NAME"},
        {"app", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->apps, "Only this application", "NAME"},
        {"workspace", 0, 0, G_OPTION_ARG_FILENAME, &options->workspace,
         "Of these applications only windows that belong to DIR", "DIR"},
        {"max-risk", 0, 0, G_OPTION_ARG_STRING, &options->max_risk, "Nothing riskier than this",
         "low|medium|high|critical"},
        {"expires", 0, 0, G_OPTION_ARG_STRING, &options->expires,
         "Until when: 30m, 2h, 7d, or 2026-12-31T18:00:00Z", "TIME"},
        {"max-calls", 0, 0, G_OPTION_ARG_INT64, &options->max_calls, "How many calls in all", "N"},
        {"override", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->overrides,
         "Ask more than the project does: TOOL=require_approval", "TOOL=ACTION"},
        {"from", 0, 0, G_OPTION_ARG_STRING, &options->from, "Hand on a part of this grant", "ID"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("new [ID] | list | show ID | revoke ID");
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, argc, argv, error);
}

static void clear(Options *options)
{
    g_strfreev(options->tools);
    g_strfreev(options->directories);
    g_strfreev(options->domains);
    g_strfreev(options->apps);
    g_strfreev(options->overrides);
    g_free(options->from);
    g_free(options->max_risk);
    g_free(options->expires);
    g_free(options->workspace);
}

/* Adds the words as an array, if there are any. */
static void add_list(json_t *object, const char *name, char **words, gboolean split)
{
    json_t *list = json_array();
    for (char **word = words; word && *word; word++) {
        g_auto(GStrv) parts = g_strsplit(*word, split ? "," : "\n", -1);
        for (char **part = parts; *part; part++)
            json_array_append_new(list, hf_json_text(g_strstrip(*part)));
    }
    if (json_array_size(list) > 0)
        json_object_set(object, name, list);
    json_decref(list);
}

/* "2h" from now; any other text as it is. */
static char *dup_time(const char *text)
{
    static const struct {
        char unit;
        int seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char *end;
    gint64 count = g_ascii_strtoll(text, &end, 10);
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        if (count <= 0 || count > 1000000 || end[0] != units[i].unit || end[1] != '\0')
            continue;
        g_autoptr(GDateTime) now = g_date_time_new_now_utc();
        g_autoptr(GDateTime) then = g_date_time_add_seconds(now, (double)count * units[i].seconds);
        return g_date_time_format(then, "%Y-%m-%dT%H:%M:%SZ");
    }
    return g_strdup(text);
}

/* Each application, bound to the directory. */
static void bind_apps(json_t *restrictions, const char *workspace)
{
    g_autofree char *path = g_canonicalize_filename(workspace, NULL);
    json_t *list = json_object_get(restrictions, "allowed_apps");
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_set_new(list, i,
                           json_pack("{s:O, s:o}", "app", json_array_get(list, i), "workspace",
                                     hf_json_text(path)));
}

static json_t *restrictions_of(const Options *options)
{
    json_t *restrictions = json_object();
    add_list(restrictions, "allowed_directories", options->directories, FALSE);
    add_list(restrictions, "allowed_domains", options->domains, FALSE);
    add_list(restrictions, "allowed_apps", options->apps, FALSE);
    if (options->workspace)
        bind_apps(restrictions, options->workspace);
    if (options->max_risk)
        json_object_set_new(restrictions, "max_risk_level", hf_json_text(options->max_risk));
    if (options->expires) {
        g_autofree char *time = dup_time(options->expires);
        json_object_set_new(restrictions, "expires_at", hf_json_text(time));
    }
    if (options->max_calls)
        json_object_set_new(restrictions, "max_calls", json_integer(options->max_calls));
    return restrictions;
}

static json_t *grant_of(const Options *options, GError **error)
{
    g_autoptr(json_t) overrides = json_object();
    if (options->workspace && !options->apps) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--workspace binds applications: name them, --app");
        return NULL;
    }
    for (char **word = options->overrides; word && *word; word++) {
        const char *sign = strchr(*word, '=');
        if (!sign) {
            hf_fail(error, HF_ERROR_INVALID_PARAMS, "--override expects TOOL=ACTION, not '%s'",
                    *word);
            return NULL;
        }
        g_autofree char *tool = g_strndup(*word, (gsize)(sign - *word));
        json_object_set_new(overrides, tool, hf_json_text(sign + 1));
    }
    json_t *grant = json_object();
    add_list(grant, "tools", options->tools, TRUE);
    json_object_set_new(grant, "restrictions", restrictions_of(options));
    json_object_set(grant, "approval_overrides", overrides);
    return grant;
}

static int show(json_t *take_result, int status, const Options *options)
{
    g_autoptr(json_t) result = take_result;
    if (result && options->json)
        hf_print_json(result);
    else if (result)
        hf_print_object(result);
    return status;
}

static int grant_new(const char *id, const Options *options)
{
    g_autoptr(GError) error = NULL;
    int status;
    json_t *grant = grant_of(options, &error);
    if (!grant) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    json_t *params = json_pack("{s:o}", "grant", grant);
    if (id)
        json_object_set_new(params, "id", hf_json_text(id));
    if (options->from)
        json_object_set_new(params, "from", hf_json_text(options->from));
    json_t *result = hf_cli_ask("grant.new", params, &status);
    return show(result, status, options);
}

static int grant_list(const Options *options)
{
    static const char *const columns[] = {"id",    "parent", "made_by", "revoked",
                                          "calls", "grant",  NULL};
    int status;
    g_autoptr(json_t) result = hf_cli_ask("grant.list", json_object(), &status);
    if (result && options->json)
        hf_print_json(result);
    else if (result)
        hf_print_table(json_object_get(result, "grants"), columns);
    return status;
}

static int run(int argc, char **argv, const Options *options)
{
    const char *verb = argc > 1 ? argv[1] : "", *id = argc > 2 ? argv[2] : NULL;
    int status;
    if (strcmp(verb, "new") == 0 && argc <= 3)
        return grant_new(id, options);
    if (strcmp(verb, "list") == 0 && argc == 2)
        return grant_list(options);
    if (strcmp(verb, "show") == 0 && argc == 3) {
        json_t *params = json_pack("{s:o}", "id", hf_json_text(id));
        json_t *result = hf_cli_ask("grant.show", params, &status);
        return show(result, status, options);
    }
    if (strcmp(verb, "revoke") == 0 && argc == 3) {
        json_t *params = json_pack("{s:o}", "id", hf_json_text(id));
        json_decref(hf_cli_ask("grant.revoke", params, &status));
        if (status == HF_EXIT_OK)
            printf(_("  grant %s holds no more\n"), id);
        return status;
    }
    return hf_command_refuse("grant");
}

int hf_command_grant(int argc, char **argv)
{
    Options options = {0};
    g_autoptr(GError) error = NULL;
    /* GOption wants the program's name first; it is the word before ours. */
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse(&argc, &argv, &options, &error))
        status = run(argc, argv, &options);
    else
        fprintf(stderr, "handfast grant: %s\n", error->message);
    clear(&options);
    return status;
}
