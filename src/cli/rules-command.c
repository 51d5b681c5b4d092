/* handfast rules: which rules there are, and what they say of a command, keys, text, a path, a URL
 * or an application. Works without a desk, from the same files. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/i18n.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "rules/rules.h"

typedef struct Options {
    char *keys, *text, *path, *url, *app, *file;
    gboolean json;
} Options;

static void options_clear(Options *options)
{
    g_free(options->keys);
    g_free(options->text);
    g_free(options->path);
    g_free(options->url);
    g_free(options->app);
    g_free(options->file);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(int *argc, char ***argv, Options *options, GError **error)
{
    GOptionEntry entries[] = {
        {"keys", 0, 0, G_OPTION_ARG_STRING, &options->keys, "Weigh a chord", "alt+f4"},
        {"text", 0, 0, G_OPTION_ARG_STRING, &options->text, "Weigh typed text", "TEXT"},
        {"path", 0, 0, G_OPTION_ARG_STRING, &options->path, "Weigh a path that is written", "PATH"},
        {"url", 0, 0, G_OPTION_ARG_STRING, &options->url, "Weigh an address", "URL"},
        {"app", 0, 0, G_OPTION_ARG_STRING, &options->app, "Weigh an application", "NAME"},
        {"file", 0, 0, G_OPTION_ARG_FILENAME, &options->file, "The owner's rules", "FILE"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("list | check 'COMMAND'");
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, argc, argv, error);
}

/* As the person reads it. */
static gboolean reads_chinese(void)
{
    const char *const *languages = g_get_language_names();
    return g_str_has_prefix(languages[0], "zh");
}

static json_t *localise(json_t *take_rules)
{
    size_t index;
    json_t *rule;
    json_array_foreach (take_rules, index, rule) {
        if (reads_chinese())
            json_object_set(rule, "message", json_object_get(rule, "message_zh"));
        json_object_del(rule, "message_zh");
    }
    return take_rules;
}

static int list(const HfRules *rules, gboolean as_json)
{
    static const char *const columns[] = {"id", "looks_at", "risk", "message", NULL};
    g_autoptr(json_t) described = hf_rules_describe(rules);
    if (as_json)
        hf_print_json(described);
    else
        hf_print_table(localise(described), columns);
    return HF_EXIT_OK;
}

static void weigh(const HfRules *rules, const Options *options, const char *command,
                  HfWeight *weight)
{
    if (options->keys)
        hf_rules_weigh_keys(rules, (const char *const[]){options->keys, NULL}, weight);
    if (options->text)
        hf_rules_weigh_text(rules, options->text, weight);
    if (options->path)
        hf_rules_weigh_path(rules, options->path, TRUE, weight);
    if (options->url)
        hf_rules_weigh_url(rules, options->url, weight);
    if (options->app)
        hf_rules_weigh_app(rules, options->app, weight);
    if (command)
        hf_rules_weigh_command(rules, command, weight);
}

static int check(const HfRules *rules, const Options *options, const char *command)
{
    static const char *const columns[] = {"id", "risk", "what", "message", NULL};
    g_auto(HfWeight) weight = {.risk = HF_RISK_LOW};
    weigh(rules, options, command, &weight);
    json_t *found = weight.rules ? weight.rules : json_array();
    weight.rules = found;
    const char *risk = weight.block ? "block" : hf_risk_name(weight.risk);
    if (options->json) {
        g_autoptr(json_t) answer =
            json_pack("{s:s, s:b, s:b, s:O}", "risk", risk, "block", weight.block != NULL,
                      "ask_always", weight.ask_always, "rules", found);
        hf_print_json(answer);
        return HF_EXIT_OK;
    }
    hf_print_title(risk);
    if (json_array_size(found) > 0)
        hf_print_table(localise(found), columns);
    else
        printf("  %s\n", _("no rule says anything about it"));
    return HF_EXIT_OK;
}

int hf_command_rules(int argc, char **argv)
{
    g_auto(Options) options = {0};
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = g_new0(char *, (gsize)argc + 2);
    words[0] = g_strdup("rules");
    for (int i = 0; i < argc; i++)
        words[i + 1] = g_strdup(argv[i]);
    g_autofree char **left = g_memdup2(words, ((gsize)argc + 2) * sizeof(char *));
    char **at = left;
    int count = argc + 1;
    gboolean parsed = parse(&count, &at, &options, &error);
    gboolean weighs = options.keys || options.text || options.path || options.url || options.app;
    gboolean lists = parsed && count == 2 && strcmp(at[1], "list") == 0;
    gboolean checks = parsed && count >= 2 && strcmp(at[1], "check") == 0 &&
                      (count == 3 || (count == 2 && weighs));
    if (!lists && !checks) {
        fprintf(stderr,
                "%s%susage: handfast rules list | check 'COMMAND' | check --keys alt+f4 "
                "[--json]\n",
                error ? error->message : "", error ? "\n" : "");
        return HF_EXIT_USAGE;
    }
    g_autofree char *path = options.file ? g_strdup(options.file) : hf_rules_dup_path();
    g_autoptr(HfRules) rules = hf_rules_load(path, NULL, &error);
    if (!rules) {
        hf_print_gerror(error);
        return HF_EXIT_FAILED;
    }
    return lists ? list(rules, options.json) : check(rules, &options, count == 3 ? at[2] : NULL);
}
