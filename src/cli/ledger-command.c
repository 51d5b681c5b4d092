/* `handfast ledger list` and `handfast undo`. Undoing is a tool like any other. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/json.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/words.h"
#include "tool/registry.h"

int hf_command_ledger(int argc, char **argv)
{
    static const char *const columns[] = {"step_id", "when",      "run_id", "tool",
                                          "undo",    "undone_by", NULL};
    g_autoptr(HfWords) words = hf_words_take("ledger", argc, argv);
    int status = HF_EXIT_USAGE;
    if (!words)
        return status;
    json_t *params = json_object();
    hf_words_add_text(words, "run", params, "run");
    g_autoptr(json_t) result = hf_cli_ask("ledger.list", params, &status);
    const json_t *changes = json_object_get(result, "changes");
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result && json_array_size(changes) == 0)
        printf("  %s\n", _("nothing was changed yet"));
    else if (result)
        hf_print_table(changes, columns);
    return status;
}

/* By default anybody's latest change on the desktop: a person at a terminal has no run. */
int hf_command_undo(int argc, char **argv)
{
    gboolean to = argc >= 2 && strcmp(argv[0], "--to") == 0;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    if (argc > 0 && !to && argv[0][0] != '-')
        return hf_command_refuse("undo");
    g_ptr_array_add(words, to ? (gpointer) "--step_id" : (gpointer) "--scope");
    g_ptr_array_add(words, to ? argv[1] : (gpointer) "desktop");
    for (int i = to ? 2 : 0; i < argc; i++)
        g_ptr_array_add(words, argv[i]);
    return hf_command_tool(hf_registry_find(to ? "undo_to" : "undo_last"), (int)words->len,
                           (char **)words->pdata);
}
