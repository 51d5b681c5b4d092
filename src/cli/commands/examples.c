/* SPDX-License-Identifier: Apache-2.0 */
/* Examples for help. A test runs every one of them. */
#include "cli/commands/examples.h"

#include <string.h>

#include <glib.h>

static const struct {
    const char *name;
    const char *words[4];
} examples[] = {
    {"screenshot",
     {"-o screen.jpg", "--region '[0,0,400,300]' --format png -o part.png",
      "--window_title Mousepad"}},
    {"zoom", {"'[100,100,200,150]' -o detail.jpg"}},
    {"mouse_move", {"300 200", "300 200 --no-smooth"}},
    {"left_click", {"300 200", "300 200 --modifiers ctrl"}},
    {"right_click", {"300 200"}},
    {"double_click", {"300 200"}},
    {"mouse_drag", {"100 100 400 300"}},
    {"scroll", {"--direction down --clicks 3", "300 200 down --clicks 3"}},
    {"type_text", {"'Hello, 世界'", "@letter.txt", "- < letter.txt"}},
    {"key_press", {"ctrl+s", "tab --repeat 3"}},
    {"hotkey", {"super+d --reason 'to see the desktop'"}},
    {"hold_key", {"shift --duration 2"}},
    {"app_launch", {"mousepad", "xterm --args=-e --args top"}},
    {"app_close", {"--name mousepad"}},
    {"window_list", {"--json", "--title report"}},
    {"window_focus", {"--window_title report"}},
    {"window_manage", {"maximize --window_title report"}},
    {"clipboard_write", {"'some text'", "@letter.txt"}},
    {"notification_send", {"'Done' 'The report is ready'"}},
    {"wait", {"0.5"}},
    {"file_read", {"notes.txt", "~/Projects --limit 20"}},
    {"file_write", {"notes.txt 'Buy milk'", "notes.txt - < letter.txt"}},
    {"file_edit", {"notes.txt milk bread"}},
    {"file_search", {". '*.txt'", ". 'milk|bread' --type content"}},
    {"file_watch", {". --timeout 1"}},
    {"undo_to", {"s_0123456789abcdef"}},
    {"serve", {"", "--virtual --size 1280x800"}},
    {"call", {"left_click '{\"x\": 300, \"y\": 200}'", "type_text @request.json"}},
    {"tools", {"", "left_click --json"}},
    {"desktop", {"new work --size 1280x800 --scale 1.25", "list --json", "rm work"}},
    {"approve", {"a_0123456789abcdef", "a_0123456789abcdef --for 1h --scope tool"}},
    {"config", {"get security.permission_level", "set security.client_level L2", "check"}},
    {"rules", {"check 'rm -rf /tmp/x'", "check --keys alt+f4"}},
    {"grant", {"new looker --tools screenshot,window_list --expires 2h", "revoke looker"}},
    {"token",
     {"new my-agent --level L2", "new phone --role owner --expires 30d", "rotate my-agent"}},
    {"operation_status", {"o_0123456789abcdef --wait_ms 10000"}},
    {"operation_cancel", {"o_0123456789abcdef"}},
    {"workflow", {"run nightly.json --var name=report", "check nightly.json", "schema"}},
    {"audit", {"list --since 1h", "verify", "export -o audit.jsonl"}},
    {"export", {"r_0123456789abcdef -o run.zip"}},
    {"completion", {"bash > ~/.local/share/bash-completion/completions/handfast"}},
    {"pause", {"--desktop main --reason lunch"}},
};

const char *const *hf_cli_examples(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(examples); i++)
        if (strcmp(examples[i].name, name) == 0)
            return examples[i].words;
    return NULL;
}
