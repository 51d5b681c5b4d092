/* SPDX-License-Identifier: Apache-2.0 */
/* Prints audit rows as a table: what happened, when, by whom, and how it ended. Rows are printed
 * as they are read, so memory does not grow with them. They are read twice: only the end tells
 * which intents have no result. */
#include "cli/commands/audit-list.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"
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

gboolean hf_audit_list_json(HfAuditDatabase *database, const HfAuditFilter *filter, GError **error)
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
    g_autofree char *told = dup_row_summary(body);
    g_autofree char *line =
        g_strdup_printf("%7" G_GINT64_FORMAT "  %s  %-8s %-14.14s %-20.20s %-24s ", row->seq, time,
                        kind, caller_name(body), subject, open ? _("no result") : code);
    hf_print_cut_line(colour, line, g_strdelimit(told, "\n\r\t", ' '));
    return TRUE;
}

gboolean hf_audit_list_table(HfAuditDatabase *database, const HfAuditFilter *filter, GError **error)
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
