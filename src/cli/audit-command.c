/* `handfast audit`: list, verify, export, key, head. It reads the owner's files and asks no desk,
 * so that it also works when none runs, and on a file from elsewhere. */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "audit/export.h"
#include "base/error.h"
#include "base/i18n.h"
#include "base/paths.h"
#include "cli/audit-list.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"

typedef struct Options {
    char *run, *tool, *caller, *since, *output, *key, *head;
    gint64 limit;
    gboolean json;
} Options;

static void options_clear(Options *options)
{
    g_free(options->run);
    g_free(options->tool);
    g_free(options->caller);
    g_free(options->since);
    g_free(options->output);
    g_free(options->key);
    g_free(options->head);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(int *argc, char ***argv, Options *options, GError **error)
{
    GOptionEntry entries[] = {
        {"run", 0, 0, G_OPTION_ARG_STRING, &options->run, "Rows of this run", "R"},
        {"tool", 0, 0, G_OPTION_ARG_STRING, &options->tool, "Rows of this tool", "T"},
        {"caller", 0, 0, G_OPTION_ARG_STRING, &options->caller, "Rows of this caller", "C"},
        {"since", 0, 0, G_OPTION_ARG_STRING, &options->since, "Rows of the last 30s, 5m, 1h, 2d",
         "TIME"},
        {"limit", 'n', 0, G_OPTION_ARG_INT64, &options->limit, "The last N rows (0: all)", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "Where the export goes",
         "FILE"},
        {"key", 0, 0, G_OPTION_ARG_STRING, &options->key, "The public key to trust", "PUBLIC"},
        {"head", 0, 0, G_OPTION_ARG_STRING, &options->head, "A head that was kept elsewhere",
         "HEAD"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("list | verify [FILE] | export | key | head");
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, argc, argv, error);
}

static char *data_file(const char *name)
{
    return g_build_filename(g_get_user_data_dir(), "handfast", name, NULL);
}

static HfAuditDatabase *open_own(GError **error)
{
    g_autofree char *path = data_file("handfast.db");
    return hf_audit_database_open(path, error);
}

/* "90", "30s", "5m", "1h", "2d" before now, as a time; 0 for none given. */
static gboolean parse_since(const char *text, gint64 *ret_ms, GError **error)
{
    static const struct {
        char unit;
        gint64 seconds;
    } units[] = {{'\0', 1}, {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    *ret_ms = 0;
    if (!text)
        return TRUE;
    char *end;
    guint64 count = g_ascii_strtoull(text, &end, 10);
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
        if (end != text && *end == units[i].unit && (!*end || !end[1]) && count < 1000000) {
            *ret_ms = g_get_real_time() / 1000 - (gint64)count * units[i].seconds * 1000;
            return TRUE;
        }
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "--since expects 30s, 5m, 1h or 2d, not '%s'",
                   text);
}

static gboolean run_list(const Options *options, GError **error)
{
    HfAuditFilter filter = {.run = options->run,
                            .tool = options->tool,
                            .caller = options->caller,
                            .limit = options->limit};
    if (!parse_since(options->since, &filter.since_ms, error))
        return FALSE;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    return options->json ? hf_audit_list_json(database, &filter, error)
                         : hf_audit_list_table(database, &filter, error);
}

/* JSON text, or a file that holds it. */
static gboolean load_head(const char *given, HfAuditHead *ret_head, GError **error)
{
    g_autofree char *text = NULL;
    if (*given != '{')
        g_file_get_contents(given, &text, NULL, NULL);
    g_autoptr(json_t) json = json_loads(text ? text : given, JSON_DISABLE_EOF_CHECK, NULL);
    return hf_audit_head_parse(json, ret_head) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "--head expects a head as 'handfast audit head' prints it, or a file with one");
}

static gboolean is_database(const char *path)
{
    char magic[16] = "";
    FILE *file = fopen(path, "re");
    gsize got = file ? fread(magic, 1, sizeof magic, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof magic && memcmp(magic, "SQLite format 3", sizeof magic) == 0;
}

static gboolean verify_database(const char *path, HfAuditVerifier *verifier, gboolean own,
                                GError **error)
{
    g_autofree char *directory = g_path_get_dirname(path);
    g_autofree char *heads = g_build_filename(directory, "audit-heads.jsonl", NULL);
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(path, error);
    gboolean beside = own || g_file_test(heads, G_FILE_TEST_EXISTS);
    return database && hf_audit_database_verify(database, verifier, beside ? heads : NULL, error);
}

static gboolean verify_export(const char *path, HfAuditVerifier *verifier, GError **error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", path,
                       g_strerror(errno));
    gboolean whole = hf_audit_export_verify(file, verifier, error);
    fclose(file);
    return whole;
}

static void print_report(const json_t *report, const Options *options)
{
    if (options->json) {
        hf_print_json(report);
        return;
    }
    gint64 last = hf_json_int(report, "last", 0),
           signed_row = hf_json_int(report, "last_signed", 0);
    printf(_("The audit is whole: rows %lld to %lld, %lld signed heads, key %.16s…\n"),
           (long long)hf_json_int(report, "first", 0), (long long)last,
           (long long)hf_json_int(report, "heads", 0), hf_json_string(report, "key", ""));
    if (last > signed_row)
        printf(_("The last %lld rows are chained but not signed yet.\n"),
               (long long)(last - signed_row));
}

static gboolean run_verify(const Options *options, const char *given, GError **error)
{
    g_autofree char *own = data_file("handfast.db"), *own_key = data_file("audit-key.pub");
    const char *path = given ? given : own;
    g_autoptr(HfAuditKey) key =
        hf_audit_key_load_public(options->key ? options->key : own_key, error);
    if (!key) {
        hf_error_suggest(error, "give the public key: --key FILE, or its 64 hexadecimal digits");
        return FALSE;
    }
    g_autoptr(HfAuditVerifier) verifier = hf_audit_verifier_new(key);
    HfAuditHead head;
    if (options->head && !load_head(options->head, &head, error))
        return FALSE;
    if (options->head)
        hf_audit_verifier_expect(verifier, &head);
    if (!given || is_database(path) ? !verify_database(path, verifier, !given, error)
                                    : !verify_export(path, verifier, error))
        return FALSE;
    g_autoptr(json_t) report = hf_audit_verifier_report(verifier);
    print_report(report, options);
    return TRUE;
}

static gboolean run_export(const Options *options, GError **error)
{
    gint64 since;
    if (!parse_since(options->since, &since, error))
        return FALSE;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    gboolean to_file = options->output && strcmp(options->output, "-") != 0;
    FILE *file = to_file ? fopen(options->output, "we") : stdout;
    if (!file)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", options->output,
                       g_strerror(errno));
    gboolean done = hf_audit_export_write(database, since, file, error);
    if (fflush(file) != 0 && done)
        done = hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the export: %s",
                       g_strerror(errno));
    if (to_file)
        fclose(file);
    return done;
}

static gboolean run_key(GError **error)
{
    g_autofree char *path = data_file("audit-key.pub"), *pem = NULL;
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(path, error);
    if (!key)
        return FALSE;
    g_file_get_contents(path, &pem, NULL, NULL);
    printf("%s\n%s", hf_audit_key_get_name(key), pem ? pem : "");
    return TRUE;
}

static gboolean run_head(GError **error)
{
    HfAuditHead head;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    if (!hf_audit_database_last_head(database, &head))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "no head is signed yet");
    g_autoptr(json_t) json = hf_audit_head_to_json(&head);
    g_autofree char *text = hf_audit_body_text(json);
    printf("%s\n", text);
    return TRUE;
}

static int run(int argc, char **argv, const Options *options)
{
    const char *verb = argc > 1 ? argv[1] : "", *word = argc > 2 ? argv[2] : NULL;
    g_autoptr(GError) error = NULL;
    gboolean done = FALSE;
    if (strcmp(verb, "verify") == 0 && argc <= 3) {
        done = run_verify(options, word, &error);
    } else if (argc != 2) {
        verb = "";
    } else if (strcmp(verb, "list") == 0) {
        done = run_list(options, &error);
    } else if (strcmp(verb, "export") == 0) {
        done = run_export(options, &error);
    } else if (strcmp(verb, "key") == 0) {
        done = run_key(&error);
    } else if (strcmp(verb, "head") == 0) {
        done = run_head(&error);
    }
    if (done)
        return HF_EXIT_OK;
    if (!error)
        return hf_command_refuse("audit");
    hf_print_gerror(error);
    return g_error_matches(error, HF_ERROR, HF_ERROR_INVALID_PARAMS) ? HF_EXIT_USAGE
                                                                     : HF_EXIT_FAILED;
}

int hf_command_audit(int argc, char **argv)
{
    g_auto(Options) options = {.limit = 50};
    g_autoptr(GError) error = NULL;
    /* GOption wants the program's name first; it is the word before ours. */
    argc++;
    argv--;
    if (parse(&argc, &argv, &options, &error))
        return run(argc, argv, &options);
    fprintf(stderr, "handfast audit: %s\n", error->message);
    return HF_EXIT_USAGE;
}
