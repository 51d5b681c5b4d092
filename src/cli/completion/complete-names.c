/* SPDX-License-Identifier: Apache-2.0 */
/* A table of value names and the functions that list their candidates. Those that wait for the
 * desk are printed last. */
#include "cli/completion/complete-names.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/desk-client.h"
#include "desk/policy/config/config.h"
#include "desk/records/evidence/run-path.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/tool/registry.h"

void hf_complete_offer(const HfCompletionOffer *offer, const char *word, const char *about)
{
    g_autofree char *line = about ? g_strdup(about) : NULL;
    /* A shell cannot complete a name that contains a newline. */
    if (!word || !g_str_has_prefix(word, offer->typed) || strpbrk(word, "\n\t"))
        return;
    printf("%s%s%s%s\n", offer->lead, word, line && *line ? "\t" : "",
           line ? g_strdelimit(line, "\n\t", ' ') : "");
}

static void offer_files(const HfCompletionOffer *offer)
{
    puts(HF_OFFER_FILES);
}

static void offer_tools(const HfCompletionOffer *offer)
{
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        hf_complete_offer(offer, (*tool)->name, _((*tool)->title));
}

static void offer_commands(const HfCompletionOffer *offer)
{
    for (const HfCommand *command = hf_commands(); command->name; command++)
        hf_complete_offer(offer, command->name, _(command->about));
    offer_tools(offer);
}

static void offer_runs(const HfCompletionOffer *offer)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(json_t) runs = hf_runs_list(root);
    size_t index;
    json_t *run;
    json_array_foreach (runs, index, run)
        hf_complete_offer(offer, hf_json_string(run, "run", NULL),
                          hf_json_string(run, "when", NULL));
}

static void offer_fields_of(const HfCompletionOffer *offer, const char *lead, const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)object, name, value) {
        g_autofree char *path = g_strconcat(lead, *lead ? "." : "", name, NULL);
        hf_complete_offer(offer, path, NULL);
        if (json_is_object(value))
            offer_fields_of(offer, path, value);
    }
}

static void offer_fields(const HfCompletionOffer *offer)
{
    g_autoptr(HfConfig) config = hf_config_new_default();
    offer_fields_of(offer, "", hf_config_document(config));
}

/* Members of the rows that a method of the desk lists. */
static void offer_rows(const HfCompletionOffer *offer, const char *method, const char *list,
                       const char *word, const char *about)
{
    fflush(stdout);
    g_autoptr(json_t) answer = hf_cli_request(method, json_object(), NULL);
    const json_t *rows = json_object_get(json_object_get(answer, "result"), list);
    size_t index;
    json_t *row;
    json_array_foreach (rows, index, row)
        hf_complete_offer(offer, hf_json_string(row, word, NULL), hf_json_string(row, about, NULL));
}

static void offer_desktops(const HfCompletionOffer *offer)
{
    offer_rows(offer, "desktop.list", "desktops", "name", "display");
}

static void offer_approvals(const HfCompletionOffer *offer)
{
    offer_rows(offer, "approvals.list", "approvals", "id", "tool");
}

static void offer_memory(const HfCompletionOffer *offer)
{
    offer_rows(offer, "approvals.memory", "memory", "id", "tool");
}

static void offer_grants(const HfCompletionOffer *offer)
{
    offer_rows(offer, "grant.list", "grants", "id", "made_by");
}

/* From the answer of a read-only tool on the main desktop. */
static void offer_seen(const HfCompletionOffer *offer, const char *tool, const char *list,
                       const char *word, const char *about)
{
    fflush(stdout);
    g_autoptr(json_t) answer =
        hf_cli_request("call", json_pack("{s:s, s:{}}", "tool", tool, "params"), NULL);
    const json_t *rows = json_object_get(json_object_get(answer, "result"), list);
    size_t index;
    json_t *row;
    json_array_foreach (rows, index, row)
        hf_complete_offer(offer, hf_json_string(row, word, NULL), hf_json_string(row, about, NULL));
}

static void offer_windows(const HfCompletionOffer *offer)
{
    offer_seen(offer, "window_list", "windows", "title", "process");
}

static const struct {
    const char *name;
    void (*offer)(const HfCompletionOffer *offer);
} known[] = {
    {"COMMAND", offer_commands},   {"TOOL", offer_tools},         {"RUN", offer_runs},
    {"FIELD", offer_fields},       {"FILE", offer_files},         {"DIR", offer_files},
    {"PATH", offer_files},         {"JSON|-|@FILE", offer_files}, {"DESKTOP", offer_desktops},
    {"APPROVAL", offer_approvals}, {"MEMORY", offer_memory},      {"GRANT", offer_grants},
    {"desktop", offer_desktops},   {"grant", offer_grants},       {"window_title", offer_windows},
    {"run_id", offer_runs},
};

void hf_complete_offer_names(const HfCompletionOffer *offer, const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(known[i].name, name) == 0)
            known[i].offer(offer);
}
