/* SPDX-License-Identifier: Apache-2.0 */
/* Paths are never cut: the next command needs them. */
#include "cli/print-files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/i18n.h"
#include "shared/base/json.h"

/* Unchanged into a pipe; on a terminal without control sequences. */
static void put_safe_text(const char *text)
{
    gboolean terminal = isatty(STDOUT_FILENO);
    for (; *text; text++)
        putchar(terminal && g_ascii_iscntrl(*text) && *text != '\n' && *text != '\t' ? '?' : *text);
}

static void print_content(const json_t *result, const char *content)
{
    gsize length = strlen(content);
    put_safe_text(content);
    if (length > 0 && content[length - 1] != '\n')
        putchar('\n');
    fflush(stdout);
    if (hf_json_bool(result, "redacted", FALSE))
        fprintf(stderr, "%s\n", _("(secrets were removed)"));
}

static void print_entries(const json_t *entries)
{
    size_t index;
    json_t *entry;
    json_array_foreach (entries, index, entry) {
        put_safe_text(hf_json_string(entry, "name", ""));
        puts(strcmp(hf_json_string(entry, "type", ""), "directory") == 0 ? "/" : "");
    }
}

static void print_matches(const json_t *matches)
{
    size_t index;
    json_t *match;
    json_array_foreach (matches, index, match) {
        const char *path = hf_json_string(match, "path", "");
        const char *text = hf_json_string(match, "text", NULL);
        gboolean folder = strcmp(hf_json_string(match, "type", ""), "directory") == 0;
        put_safe_text(path);
        if (text)
            printf(":%lld: ", (long long)hf_json_int(match, "line", 0));
        put_safe_text(text ? text : folder ? "/" : "");
        putchar('\n');
    }
}

static void print_changes(const json_t *result, const json_t *changes)
{
    size_t index;
    json_t *change;
    json_array_foreach (changes, index, change) {
        const char *from = hf_json_string(change, "from", NULL);
        printf("%-6s  ", hf_json_string(change, "event", ""));
        put_safe_text(from ? from : "");
        put_safe_text(from ? " → " : "");
        put_safe_text(hf_json_string(change, "path", ""));
        putchar('\n');
    }
    if (hf_json_bool(result, "overflow", FALSE))
        fprintf(stderr, "%s\n", _("(some changes were dropped: there were too many)"));
    fprintf(stderr, _("(to continue: --watch_id %s)\n"), hf_json_string(result, "watch_id", ""));
}

static void print_more(const json_t *result)
{
    json_int_t next = hf_json_int(result, "next_offset", 0);
    if (!hf_json_bool(result, "truncated", FALSE))
        return;
    if (next > 0)
        fprintf(stderr, _("(there is more: --offset %lld)\n"), (long long)next);
    else
        fprintf(stderr, "%s\n", _("(the output is incomplete)"));
}

gboolean hf_print_file_result(const json_t *result)
{
    const char *content = hf_json_string(result, "content", NULL);
    const json_t *entries = json_object_get(result, "entries");
    const json_t *matches = json_object_get(result, "matches");
    gboolean watch = json_object_get(result, "watch_id") != NULL;
    if (content)
        print_content(result, content);
    else if (entries)
        print_entries(entries);
    else if (matches)
        print_matches(matches);
    else if (watch)
        print_changes(result, json_object_get(result, "changes"));
    else
        return FALSE;
    print_more(result);
    return TRUE;
}
