/* SPDX-License-Identifier: Apache-2.0 */
/* summary.md: what a person wants to know of a run before looking closer. Text of callers and
 * programs is put between backquotes and can be nothing else there. */
#include "desk/records/evidence/run.h"

/* The text as one line of code in Markdown. */
static char *quote_markdown(const char *text)
{
    char *copy = g_utf8_make_valid(text ? text : "", -1);
    for (char *at = copy; *at; at++)
        if (*at == '`' || *at == '|' || g_ascii_iscntrl(*at))
            *at = ' ';
    char *quoted = g_strdup_printf("`%s`", *copy ? copy : " ");
    g_free(copy);
    return quoted;
}

static char *summary_time_text(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return g_date_time_format(time, "%Y-%m-%d %H:%M:%S %z");
}

static void add_tools(GString *text, GHashTable *tools)
{
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(tools), (GCompareFunc)g_strcmp0);
    if (!names)
        return;
    g_string_append(text, "\n## Tools\n\n| tool | calls |\n| --- | ---: |\n");
    for (GList *each = names; each; each = each->next) {
        g_autofree char *name = quote_markdown(each->data);
        g_string_append_printf(text, "| %s | %u |\n", name,
                               GPOINTER_TO_UINT(g_hash_table_lookup(tools, each->data)));
    }
}

char *hf_run_dup_summary(const HfRun *run)
{
    g_autofree char *id = quote_markdown(run->id), *caller = quote_markdown(run->caller);
    g_autofree char *desktop = quote_markdown(run->desktop);
    g_autofree char *first = summary_time_text(run->first_ms),
                    *last = summary_time_text(run->last_ms);
    g_autoptr(GString) text = g_string_new("# Run ");
    g_string_append_printf(text,
                           "%s\n\n| | |\n| --- | --- |\n| began | %s |\n| last step | %s |\n"
                           "| caller | %s |\n| desktop | %s |\n| steps | %u |\n| failures | %u |\n",
                           id, first, last, caller, desktop, run->steps, run->failures);
    add_tools(text, run->tools);
    if (!g_queue_is_empty(run->failed))
        g_string_append(text, "\n## Latest failures\n\n| step | tool | error |\n| ---: | --- | --- "
                              "|\n");
    for (GList *each = run->failed->head; each; each = each->next)
        g_string_append_printf(text, "%s\n", (const char *)each->data);
    g_string_append(text,
                    "\n`steps.jsonl` has every step; `handfast export` makes a page of it.\n");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

void hf_run_note_failure(HfRun *run, const char *tool, const char *message)
{
    g_autofree char *quoted_tool = quote_markdown(tool), *quoted = quote_markdown(message);
    g_queue_push_tail(run->failed,
                      g_strdup_printf("| %u | %s | %s |", run->steps, quoted_tool, quoted));
    while (g_queue_get_length(run->failed) > 20)
        g_free(g_queue_pop_head(run->failed));
}
