/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast audit`. list, verify, export, key and head read the owner's files and need no desk, so
 * they also work on a file from elsewhere. Only the desk can do rotate-key. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/duration.h"
#include "cli/print.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/audit/audit-export.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

typedef struct List {
    GHashTable *open; /* steps that began and whose end no row reports */
    gboolean began;
} List;

static gboolean note_open(const HfAuditRow *row, gpointer data, GError **error)
{
    GHashTable *open = data;
    g_autoptr(json_t) body = json_loadb(row->body, row->length, 0, NULL);
    const char *kind = hf_json_string(body, "kind", ""), *step = hf_json_string(body, "step", NULL);
    if (step && strcmp(kind, "intent") == 0)
        g_hash_table_add(open, g_strdup(step));
    else if (step)
        g_hash_table_remove(open, step);
    return TRUE;
}

/* Every filter that finds an intent also finds its result, which comes later. */
static gboolean find_open_intents(HfAuditDatabase *database, const HfAuditFilter *filter,
                                  List *list, GError **error)
{
    list->open = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return hf_audit_database_list(database, filter, note_open, list->open, error);
}

static gboolean is_open_intent(const List *list, const json_t *body)
{
    return strcmp(hf_json_string(body, "kind", ""), "intent") == 0 &&
           g_hash_table_contains(list->open, hf_json_string(body, "step", ""));
}

static gboolean print_json_row(const HfAuditRow *row, gpointer data, GError **error)
{
    List *list = data;
    g_autoptr(json_t) body = json_loadb(row->body, row->length, 0, NULL);
    if (!json_is_object(body))
        return hf_audit_fail_broken(error, row->seq, "its body is not a JSON object");
    json_object_set_new(body, "hash", json_string(row->hash));
    if (is_open_intent(list, body))
        json_object_set_new(body, "open", json_true());
    fputs(list->began ? ",\n" : "", stdout);
    json_dumpf(body, stdout, JSON_COMPACT);
    list->began = TRUE;
    return TRUE;
}

static gboolean print_audit_json(HfAuditDatabase *database, const HfAuditFilter *filter,
                                 GError **error)
{
    List list = {0};
    fputs("[", stdout);
    gboolean done = find_open_intents(database, filter, &list, error) &&
                    hf_audit_database_list(database, filter, print_json_row, &list, error);
    fputs("]\n", stdout);
    g_hash_table_unref(list.open);
    return done;
}

static const char *colour_of(const char *kind, const char *code, gboolean open)
{
    if (!isatty(1) || g_getenv("NO_COLOR"))
        return "";
    if (open || strcmp(kind, "refusal") == 0)
        return "\033[33m";
    if (strcmp(kind, "event") == 0)
        return "\033[36m";
    return *code && strcmp(code, "OK") != 0 ? "\033[31m" : "";
}

static char *local_time(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    g_autofree char *text = time ? g_date_time_format(time, "%m-%d %H:%M:%S") : g_strdup("?");
    return g_strdup_printf("%s.%03d", text, (int)(time_ms % 1000));
}

/* The most informative part of a row, in one line. */
static char *dup_row_summary(const json_t *body)
{
    const char *error = hf_json_string(body, "error", NULL);
    json_t *what = json_object_get(body, "params");
    if (error)
        return g_strdup(error);
    if (!what)
        what = json_object_get(body, "data");
    if (what)
        return hf_json_dump(what);
    gint64 duration = hf_json_int(body, "duration_us", -1);
    return duration < 0 ? g_strdup("") : g_strdup_printf("%.1f ms", (double)duration / 1000);
}

static const char *caller_name(const json_t *body)
{
    const char *caller = hf_json_string(body, "caller", "-");
    const char *slash = strrchr(caller, '/');
    return slash ? slash + 1 : caller;
}

static gboolean print_row(const HfAuditRow *row, gpointer data, GError **error)
{
    g_autoptr(json_t) body = json_loadb(row->body, row->length, 0, NULL);
    const char *kind = hf_json_string(body, "kind", "?"), *code = hf_json_string(body, "code", "");
    const char *subject = hf_json_string(body, "tool", hf_json_string(body, "event", ""));
    gboolean open = is_open_intent(data, body);
    const char *colour = colour_of(kind, code, open);
    g_autofree char *time = local_time(hf_json_int(body, "time", 0));
    g_autofree char *summary = dup_row_summary(body);
    g_autofree char *line =
        g_strdup_printf("%7" G_GINT64_FORMAT "  %s  %-8s %-14.14s %-20.20s %-24s ", row->seq, time,
                        kind, caller_name(body), subject, open ? _("no result") : code);
    hf_print_cut_line(colour, line, g_strdelimit(summary, "\n\r\t", ' '));
    return TRUE;
}

static gboolean print_audit_table(HfAuditDatabase *database, const HfAuditFilter *filter,
                                  GError **error)
{
    g_autofree char *title =
        g_strdup_printf("%7s  %-18s  %-8s %-14s %-20s %-24s %s", _("row"), _("time"), _("kind"),
                        _("caller"), _("what"), _("code"), _("details"));
    hf_print_title(title);
    List list = {0};
    gboolean done = find_open_intents(database, filter, &list, error) &&
                    hf_audit_database_list(database, filter, print_row, &list, error);
    g_hash_table_unref(list.open);
    return done;
}

/* Default of --limit. */
#define ROWS_SHOWN 50

static char *data_file(const char *name)
{
    return g_build_filename(g_get_user_data_dir(), "handfast", name, NULL);
}

static HfAuditDatabase *open_own(GError **error)
{
    g_autofree char *path = data_file("handfast.db");
    return hf_audit_database_open(path, error);
}

/* --since as a time; 0 when it is not given. */
static gboolean parse_since(const HfCommandArguments *arguments, gint64 *ret_ms, GError **error)
{
    const char *text = hf_command_arguments_get(arguments, "since");
    gint64 seconds = 0;
    if (text && !hf_cli_parse_duration(text, &seconds))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "--since expects 30s, 5m, 1h or 2d, not '%s'", text);
    *ret_ms = text ? g_get_real_time() / 1000 - seconds * 1000 : 0;
    return TRUE;
}

static gboolean run_list(const HfCommandArguments *arguments, GError **error)
{
    HfAuditFilter filter = {.run = hf_command_arguments_get(arguments, "run"),
                            .tool = hf_command_arguments_get(arguments, "tool"),
                            .caller = hf_command_arguments_get(arguments, "caller"),
                            .limit = ROWS_SHOWN};
    gint64 limit = filter.limit;
    if (!parse_since(arguments, &filter.since_ms, error) ||
        !hf_command_arguments_int(arguments, "limit", &limit, error))
        return FALSE;
    filter.limit = limit;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    return hf_print_is_json() ? print_audit_json(database, &filter, error)
                              : print_audit_table(database, &filter, error);
}

/* JSON text, or a file that contains it. */
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

static void print_report(const json_t *report)
{
    if (hf_print_is_json()) {
        hf_print_json(report);
        return;
    }
    gint64 last = hf_json_int(report, "last", 0),
           signed_row = hf_json_int(report, "last_signed", 0);
    printf(_("The audit is intact: rows %lld to %lld, %lld signed heads, key %.16s…\n"),
           (long long)hf_json_int(report, "first", 0), (long long)last,
           (long long)hf_json_int(report, "heads", 0), hf_json_string(report, "key", ""));
    if (last > signed_row)
        printf(_("The last %lld rows are chained but not signed yet.\n"),
               (long long)(last - signed_row));
}

/* Trusts the given keys, or else the owner's own. */
static HfAuditVerifier *new_verifier(const HfCommandArguments *arguments, GError **error)
{
    g_autofree char *own = data_file("audit-key.pub");
    char *only[] = {own, NULL};
    g_autoptr(HfAuditVerifier) verifier = NULL;
    for (char **name = hf_command_arguments_has(arguments, "key")
                           ? hf_command_arguments_all(arguments, "key")
                           : only;
         *name; name++) {
        g_autoptr(HfAuditKey) key = hf_audit_key_load_public(*name, error);
        if (!key) {
            hf_error_suggest(error,
                             "give the public key: --key FILE, or its 64 hexadecimal digits");
            return NULL;
        }
        if (verifier)
            hf_audit_verifier_trust(verifier, key);
        else
            verifier = hf_audit_verifier_new(key);
    }
    return g_steal_pointer(&verifier);
}

static gboolean run_verify(const HfCommandArguments *arguments, const char *given, GError **error)
{
    g_autofree char *own = data_file("handfast.db");
    const char *path = given ? given : own,
               *head_given = hf_command_arguments_get(arguments, "head");
    g_autoptr(HfAuditVerifier) verifier = new_verifier(arguments, error);
    if (!verifier)
        return FALSE;
    HfAuditHead head;
    if (head_given && !load_head(head_given, &head, error))
        return FALSE;
    if (head_given)
        hf_audit_verifier_expect(verifier, &head);
    if (!given || is_database(path) ? !verify_database(path, verifier, !given, error)
                                    : !verify_export(path, verifier, error))
        return FALSE;
    g_autoptr(json_t) report = hf_audit_verifier_report(verifier);
    print_report(report);
    return TRUE;
}

static gboolean run_export(const HfCommandArguments *arguments, GError **error)
{
    gint64 since = 0;
    const char *output = hf_command_arguments_get(arguments, "o");
    if (!parse_since(arguments, &since, error))
        return FALSE;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    gboolean to_file = output && strcmp(output, "-") != 0;
    FILE *file = to_file ? fopen(output, "we") : stdout;
    if (!file)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s': %s", output,
                       g_strerror(errno));
    gboolean done = hf_audit_export_write(database, since, file, error);
    if (fflush(file) != 0 && done)
        done = hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the export: %s",
                       g_strerror(errno));
    if (to_file)
        fclose(file);
    if (done && to_file && hf_print_is_json()) {
        g_autoptr(json_t) result = json_pack("{s:o}", "file", hf_json_text(output));
        hf_print_json(result);
    }
    return done;
}

static gboolean run_key(GError **error)
{
    g_autofree char *path = data_file("audit-key.pub"), *pem = NULL;
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(path, error);
    if (!key)
        return FALSE;
    g_file_get_contents(path, &pem, NULL, NULL);
    g_autoptr(json_t) json =
        json_pack("{s:s, s:s}", "key", hf_audit_key_get_name(key), "pem", pem ? pem : "");
    g_autofree char *text =
        g_strchomp(g_strdup_printf("%s\n%s", hf_audit_key_get_name(key), pem ? pem : ""));
    hf_print_result(json, text);
    return TRUE;
}

/* Always JSON, because another command reads it. */
static gboolean run_head(GError **error)
{
    HfAuditHead head;
    g_autoptr(HfAuditDatabase) database = open_own(error);
    if (!database)
        return FALSE;
    if (!hf_audit_database_last_head(database, &head))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the audit has no signed head yet");
    g_autoptr(json_t) json = hf_audit_head_to_json(&head);
    g_autofree char *text = hf_audit_body_text(json);
    printf("%s\n", text);
    return TRUE;
}

static gboolean run_audit_command(const HfCommandArguments *arguments, GError **error)
{
    if (hf_command_arguments_is(arguments, "list"))
        return run_list(arguments, error);
    if (hf_command_arguments_is(arguments, "verify"))
        return run_verify(arguments, hf_command_arguments_value(arguments, "FILE"), error);
    if (hf_command_arguments_is(arguments, "export"))
        return run_export(arguments, error);
    return hf_command_arguments_is(arguments, "key") ? run_key(error) : run_head(error);
}

static int rotate_key(gboolean as_json)
{
    int status;
    g_autoptr(json_t) done = hf_cli_simple_request("audit.rotate_key", json_object(), &status);
    if (done && as_json)
        hf_print_json(done);
    else if (done)
        printf("%s\n",
               _("The audit now uses a new key. Keep a copy of audit-key.pub with the old one."));
    return status;
}

int hf_command_audit(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    if (hf_command_arguments_is(arguments, "rotate-key"))
        return rotate_key(hf_command_arguments_has(arguments, "json"));
    if (run_audit_command(arguments, &error))
        return HF_EXIT_OK;
    hf_print_gerror(error);
    return g_error_matches(error, HF_ERROR, HF_ERROR_INVALID_PARAMS) ? HF_EXIT_USAGE
                                                                     : HF_EXIT_FAILED;
}
