/* `handfast approvals`, `approve` and `deny`: what waits for the owner, and the owner's answer. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/i18n.h"
#include "cli/ask-owner.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"

static const char *const open_columns[] = {"id",  "tool", "desktop", "risk",
                                           "age", "left", "program", NULL};
static const char *const all_columns[] = {"id",  "state",       "tool",   "desktop",
                                          "age", "answered_by", "reason", NULL};
static const char *const memory_columns[] = {"id",     "scope", "tool", "project",
                                             "caller", "age",   "left", NULL};

/* 90 s, 5 min, 2 h, 3 d. */
static json_t *new_span(gint64 milliseconds)
{
    gint64 seconds = MAX(0, milliseconds / 1000);
    if (seconds < 100)
        return json_sprintf("%d s", (int)seconds);
    if (seconds < 100 * 60)
        return json_sprintf("%d min", (int)(seconds / 60));
    if (seconds < 48 * 3600)
        return json_sprintf("%d h", (int)(seconds / 3600));
    return json_sprintf("%d d", (int)(seconds / (24 * 3600)));
}

/* Times as a person counts them. */
static void add_spans(json_t *rows)
{
    gint64 now_ms = g_get_real_time() / 1000;
    size_t index;
    json_t *row;
    json_array_foreach (rows, index, row) {
        gint64 expires_ms = hf_json_int(row, "expires_ms", 0);
        json_object_set_new(row, "age", new_span(now_ms - hf_json_int(row, "made_ms", now_ms)));
        if (expires_ms > 0)
            json_object_set_new(row, "left", new_span(expires_ms - now_ms));
    }
}

static int show_rows(json_t *rows, const char *const *columns, const char *none)
{
    if (json_array_size(rows) == 0) {
        printf("%s\n", none);
        return HF_EXIT_OK;
    }
    add_spans(rows);
    hf_print_table(rows, columns);
    return HF_EXIT_OK;
}

static int list(gboolean all, gboolean as_json)
{
    int status;
    g_autoptr(json_t) result =
        hf_cli_ask("approvals.list", json_pack("{s:b}", "all", all), &status);
    if (!result)
        return status;
    json_t *rows = json_object_get(result, "approvals");
    if (as_json) {
        hf_print_json(rows);
        return HF_EXIT_OK;
    }
    return show_rows(rows, all ? all_columns : open_columns, _("Nothing waits for an answer."));
}

static int memory(gboolean as_json)
{
    int status;
    g_autoptr(json_t) result = hf_cli_ask("approvals.memory", json_object(), &status);
    if (!result)
        return status;
    json_t *rows = json_object_get(result, "memory");
    if (as_json) {
        hf_print_json(rows);
        return HF_EXIT_OK;
    }
    return show_rows(rows, memory_columns, _("Nothing is remembered."));
}

static int show(const char *id, gboolean as_json)
{
    int status;
    g_autoptr(json_t) result = hf_cli_ask("approvals.show", json_pack("{s:s}", "id", id), &status);
    if (!result)
        return status;
    if (as_json) {
        hf_print_json(result);
        return HF_EXIT_OK;
    }
    hf_print_approval(result, FALSE);
    printf("  %-10s %s\n", _("state"), hf_json_string(result, "state", "?"));
    const char *by = hf_json_string(result, "answered_by", "");
    if (*by)
        printf("  %-10s %s\n", _("answer by"), by);
    return HF_EXIT_OK;
}

static int forget(const char *id)
{
    int status;
    g_autoptr(json_t) result =
        hf_cli_ask("approvals.forget", json_pack("{s:s}", "id", id), &status);
    if (result)
        printf(_("  forgotten: %s\n"), id);
    return status;
}

static gboolean take_flag(int *argc, char **argv, const char *flag)
{
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], flag) != 0)
            continue;
        memmove(argv + i, argv + i + 1, sizeof *argv * (gsize)(*argc - i - 1));
        --*argc;
        return TRUE;
    }
    return FALSE;
}

static gboolean is_id(const char *word)
{
    return word && *word && g_utf8_validate(word, -1, NULL);
}

int hf_command_approvals(int argc, char **argv)
{
    gboolean as_json = take_flag(&argc, argv, "--json"), all = take_flag(&argc, argv, "--all");
    const char *verb = argc > 0 ? argv[0] : "list", *id = argc > 1 ? argv[1] : NULL;
    if (argc <= 1 && strcmp(verb, "list") == 0)
        return list(all, as_json);
    if (argc == 1 && strcmp(verb, "memory") == 0)
        return memory(as_json);
    if (argc == 2 && is_id(id) && strcmp(verb, "show") == 0)
        return show(id, as_json);
    if (argc == 2 && is_id(id) && strcmp(verb, "forget") == 0)
        return forget(id);
    return hf_command_refuse("approvals");
}

/* "90s", "5m", "1h", "2d", or a number of seconds; 0 when it is none of these. */
static gint64 read_span(const char *text)
{
    char *end;
    gint64 number = g_ascii_strtoll(text, &end, 10);
    static const struct {
        const char *unit;
        gint64 seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 24 * 3600}};
    for (gsize i = 0; end != text && i < G_N_ELEMENTS(units); i++)
        if (strcmp(units[i].unit, end) == 0 && number > 0 && number < G_MAXINT32)
            return number * units[i].seconds;
    return 0;
}

typedef struct Options {
    gboolean remember;
    char *span, *scope, *reason;
} Options;

static gboolean parse(int *argc, char ***argv, Options *options, gboolean approve, GError **error)
{
    GOptionEntry approve_entries[] = {
        {"remember", 0, 0, G_OPTION_ARG_NONE, &options->remember, "Not to be asked again", NULL},
        {"for", 0, 0, G_OPTION_ARG_STRING, &options->span, "For how long (default: 1h)", "TIME"},
        {"scope", 0, 0, G_OPTION_ARG_STRING, &options->scope,
         "About what: call, tool or project (default: call)", "SCOPE"},
        {NULL},
    };
    GOptionEntry deny_entries[] = {
        {"reason", 0, 0, G_OPTION_ARG_STRING, &options->reason, "What the caller is told", "TEXT"},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("ID");
    g_option_context_add_main_entries(context, approve ? approve_entries : deny_entries, NULL);
    return g_option_context_parse(context, argc, argv, error) &&
           ((*argc == 2 && is_id((*argv)[1])) ||
            hf_fail(error, HF_ERROR_INVALID_PARAMS, "which one? see: handfast approvals"));
}

static json_t *approve_params(const char *id, const Options *options, GError **error)
{
    g_autoptr(json_t) params = json_pack("{s:s}", "id", id);
    if (options->remember || options->span || options->scope)
        json_object_set_new(params, "remember",
                            hf_json_text(options->scope ? options->scope : "call"));
    gint64 span = options->span ? read_span(options->span) : 0;
    if (options->span && span == 0) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--for expects a time such as 30m or 1h, not '%s'",
                options->span);
        return NULL;
    }
    if (span > 0)
        json_object_set_new(params, "for_s", json_integer(span));
    return g_steal_pointer(&params);
}

static int answer(const char *id, const Options *options, gboolean yes, GError **error)
{
    const char *reason = options->reason ? options->reason : "";
    json_t *params = yes ? approve_params(id, options, error)
                         : json_pack("{s:s, s:o}", "id", id, "reason", hf_json_text(reason));
    if (!params)
        return HF_EXIT_USAGE;
    int status;
    g_autoptr(json_t) result =
        hf_cli_ask(yes ? "approvals.approve" : "approvals.deny", params, &status);
    if (result)
        printf("  %s: %s\n", id, hf_json_string(result, "state", "?"));
    return status;
}

static int run(int argc, char **argv, gboolean yes)
{
    Options options = {0};
    g_autoptr(GError) error = NULL;
    /* GOption wants the program's name first; it is the word before ours. */
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse(&argc, &argv, &options, yes, &error))
        status = answer(argv[1], &options, yes, &error);
    if (error)
        fprintf(stderr, "handfast %s: %s\n", yes ? "approve" : "deny", error->message);
    g_free(options.span);
    g_free(options.scope);
    g_free(options.reason);
    return status;
}

int hf_command_approve(int argc, char **argv)
{
    return run(argc, argv, TRUE);
}

int hf_command_deny(int argc, char **argv)
{
    return run(argc, argv, FALSE);
}
