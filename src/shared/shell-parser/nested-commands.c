/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a complete simple command: names it, gives it its input, and reads what it runs in turn:
 * sudo's command, the text of bash -c, what find -exec starts. */
#include <string.h>

#include "shared/shell-parser/command-wrappers.h"
#include "shared/shell-parser/evaluated-text.h"
#include "shared/shell-parser/hidden-commands.h"
#include "shared/shell-parser/shell-parser-limits.h"
#include "shared/shell-parser/shell-reader.h"
#include "shared/shell-parser/working-directory.h"

static char *join_command_words(const HfScriptCommand *command, guint first)
{
    GString *text = g_string_new(NULL);
    for (guint i = first; i < command->words->len; i++)
        g_string_append_printf(text, "%s%s", i > first ? " " : "",
                               hf_script_command_word(command, i)->text);
    return g_string_free(text, FALSE);
}

static gboolean are_decided(const HfScriptCommand *command, guint first)
{
    for (guint i = first; i < command->words->len; i++)
        if (!hf_script_command_word(command, i)->decided)
            return FALSE;
    return TRUE;
}

void hf_script_read_nested(HfScriptState *state, const HfScriptCommand *command, const char *text,
                           HfCommandFacts facts)
{
    HfCommandFacts outer = state->inherited;
    GPtrArray *saved = hf_script_save_directories(state);
    state->inherited |= facts | (command->facts & HF_COMMAND_GUESSED);
    int depth = state->depth;
    if (depth < HF_LIMIT_SCRIPT_DEPTH)
        hf_script_read_text(state, text, strlen(text), command->pipeline, command->place);
    else
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
    state->inherited = outer;
    hf_script_join_directories(state, saved);
}

static void copy_words(HfScriptCommand *to, const HfScriptCommand *from, guint first, guint end)
{
    for (guint i = first; i < end; i++) {
        const HfScriptWord *word = hf_script_command_word(from, i);
        g_ptr_array_add(to->words, hf_script_word_new(word->text, word->decided, word->quoted));
    }
}

/* Words are copied once for each command that runs another, so they count as text. */
static gboolean can_copy_words(HfScriptState *state, const HfScriptCommand *command, guint first,
                               guint end)
{
    gsize bytes = 0;
    for (guint i = first; i < end; i++)
        bytes += strlen(hf_script_command_word(command, i)->text) + 1;
    if (bytes > state->bytes_left) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        return FALSE;
    }
    state->bytes_left -= bytes;
    return TRUE;
}

gboolean hf_script_is_assignment(const char *text)
{
    gsize name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return name > 0 && !g_ascii_isdigit(text[0]) && text[name] == '=';
}

void hf_script_run_words(HfScriptState *state, const HfScriptCommand *command, guint first,
                         guint end, HfCommandFacts facts)
{
    g_autoptr(HfScriptCommand) inner = hf_script_command_new();
    for (; first < end && hf_script_is_assignment(hf_script_command_word(command, first)->text);
         first++) {
        const char *text = hf_script_command_word(command, first)->text;
        gsize name = strcspn(text, "=");
        hf_script_command_set(inner, g_strndup(text, name), text + name + 1);
    }
    if (first >= end || !can_copy_words(state, command, first, end))
        return;
    copy_words(inner, command, first, end);
    if ((facts & HF_COMMAND_MORE) && command->input) { /* xargs: the words come from its input */
        g_auto(GStrv) more = g_strsplit_set(command->input, " \t\n", HF_LIMIT_SCRIPT_WORDS);
        for (char **word = more; *word; word++)
            if (**word)
                g_ptr_array_add(inner->words, hf_script_word_new(*word, TRUE, FALSE));
    }
    inner->input = g_strdup(command->input);
    inner->facts = facts | (command->facts & HF_COMMAND_GUESSED);
    inner->pipeline = command->pipeline;
    inner->place = command->place;
    inner->inner_first = command->inner_first;
    inner->inner_end = command->inner_end;
    if (state->depth >= HF_LIMIT_SCRIPT_DEPTH) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        return;
    }
    state->depth++;
    hf_script_add_command(state, g_steal_pointer(&inner));
    state->depth--;
}

static gboolean is_fed(const HfScriptState *state, const HfScriptCommand *command)
{
    const HfScript *script = state->script;
    for (guint i = 0; i < script->commands->len; i++)
        if (script->commands->pdata[i] != command &&
            hf_script_feeds(script, script->commands->pdata[i], command))
            return TRUE;
    return FALSE;
}

/* It runs this file. */
static void note_origin(const HfScriptState *state, HfScriptCommand *command, const char *file)
{
    if (g_hash_table_contains(state->written, file))
        command->facts |= HF_COMMAND_WRITTEN;
    if (g_hash_table_contains(state->fetched, file))
        command->facts |= HF_COMMAND_FETCHED;
}

/* The content of this file, if it is known. */
static const char *content_of(const HfScriptState *state, const HfScriptWord *file)
{
    return state->path && strcmp(state->path, file->text) == 0 ? state->content : NULL;
}

static void read_script_file(HfScriptState *state, HfScriptCommand *command,
                             const HfScriptWord *file)
{
    const char *content = content_of(state, file), *path = state->path;
    if (content) {
        state->path = NULL; /* a script that runs itself is read once */
        hf_script_read_nested(state, command, content, 0);
        state->path = path;
    }
    if (g_str_has_prefix(file->text, "/dev/") || strcmp(file->text, "-") == 0)
        command->facts |= HF_COMMAND_UNREAD_TEXT;
    note_origin(state, command, file->text);
}

static void read_input(HfScriptState *state, HfScriptCommand *command)
{
    if (command->input)
        hf_script_read_nested(state, command, command->input, 0);
    else if (is_fed(state, command))
        command->facts |= HF_COMMAND_UNREAD_TEXT;
    for (guint i = 0; i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        if (redirect->writes || strcmp(redirect->target.text, "/dev/null") == 0)
            continue;
        read_script_file(state, command, &redirect->target);
        if (!content_of(state, &redirect->target))
            command->facts |= HF_COMMAND_UNREAD_TEXT;
    }
}

/* Whether a short option `letter` is among the options before `end`. */
static gboolean has_letter(const HfScriptCommand *command, guint end, char letter)
{
    for (guint i = 1; i < end; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        if (text[0] == '-' && text[1] != '-' && strchr(text, letter))
            return TRUE;
    }
    return FALSE;
}

/* bash --rcfile FILE: it runs that file first. */
static void note_startup_file(HfScriptState *state, HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        if (!g_str_has_prefix(text, "--rc") && !g_str_has_prefix(text, "--init"))
            continue;
        command->facts |= HF_COMMAND_UNREAD_TEXT;
        if (next)
            note_origin(state, command, next->text);
    }
}

static void run_shell(HfScriptState *state, const HfCommandWrapper *runner,
                      HfScriptCommand *command)
{
    guint first = hf_command_wrapper_skip_options(runner, command);
    const HfScriptWord *word = hf_script_command_word(command, first);
    gboolean more = (command->facts & HF_COMMAND_MORE) != 0;
    note_startup_file(state, command);
    if (has_letter(command, first, 'c') && !word && more) {
        command->facts |= HF_COMMAND_UNREAD_TEXT; /* xargs sh -c: its text is its input */
    } else if (has_letter(command, first, 'c') && word) {
        if (!word->decided || (more && strpbrk(word->text, "{%")))
            command->facts |= HF_COMMAND_UNREAD_TEXT;
        hf_script_read_nested(state, command, word->text,
                              runner->gives | (command->facts & HF_COMMAND_MORE));
    } else if (word && strcmp(word->text, "-") != 0 && !has_letter(command, first, 's') &&
               strcmp(word->text, "/dev/stdin") != 0) {
        read_script_file(state, command, word);
        if (!word->decided && g_str_has_prefix(word->text, "/dev/fd/"))
            command->facts |= HF_COMMAND_UNREAD_TEXT;
    } else {
        read_input(state, command);
    }
}

/* su and similar: the text may stand anywhere. */
static void run_option_c(HfScriptState *state, const HfCommandWrapper *runner,
                         HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const HfScriptWord *word = hf_script_command_word(command, i),
                           *next = hf_script_command_word(command, i + 1);
        gsize length = strlen(word->text);
        gboolean cluster = word->text[0] == '-' && word->text[1] != '-' && length > 1 &&
                           word->text[length - 1] == 'c';
        if ((cluster || strcmp(word->text, "--command") == 0) && next) {
            if (!next->decided)
                command->facts |= HF_COMMAND_UNREAD_TEXT;
            hf_script_read_nested(state, command, next->text, runner->gives);
            return;
        }
        if (g_str_has_prefix(word->text, "--command=")) {
            hf_script_read_nested(state, command, word->text + strlen("--command="), runner->gives);
            return;
        }
    }
    hf_script_run_words(state, command,
                        hf_command_wrapper_skip_options(runner, command) + runner->skip,
                        command->words->len, runner->gives);
}

/* The value of an option of env, in any spelling; NULL: not given. */
static const char *find_env_value(const HfScriptCommand *command, guint end, char letter,
                                  const char *name)
{
    for (guint i = 1; i < end; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        const char *found = text[0] == '-' && text[1] != '-' ? strchr(text, letter) : NULL;
        gsize length = text[0] == '-' && text[1] == '-' ? strcspn(text + 2, "=") : 0;
        if (length > 0 && length <= strlen(name) && strncmp(text + 2, name, length) == 0)
            return text[2 + length] ? text + 3 + length : next ? next->text : NULL;
        if (found)
            return found[1] ? found + 1 : next ? next->text : NULL;
    }
    return NULL;
}

static void run_env(HfScriptState *state, HfScriptCommand *command, guint first)
{
    GPtrArray *saved = hf_script_save_directories(state);
    const char *directory = find_env_value(command, first, 'C', "chdir");
    const char *text = find_env_value(command, first, 'S', "split-string");
    if (directory)
        hf_script_enter_directory(state, directory);
    if (text)
        hf_script_read_nested(state, command, text, 0);
    hf_script_run_words(state, command, first, command->words->len, 0);
    hf_script_restore_directories(state, saved);
}

static void run_plain(HfScriptState *state, const HfCommandWrapper *runner,
                      HfScriptCommand *command)
{
    guint first = hf_command_wrapper_skip_options(runner, command);
    if (strcmp(command->name, "command") == 0 &&
        (has_letter(command, first, 'v') || has_letter(command, first, 'V')))
        return; /* only asks for its location */
    first += runner->skip;
    if (strcmp(command->name, "xargs") == 0 && hf_script_run_replaced(state, command, first))
        return;
    if (strcmp(command->name, "env") == 0) {
        run_env(state, command, first);
        return;
    }
    if (runner->kind == HF_WRAPPER_WORDS) {
        hf_script_run_words(state, command, first, command->words->len, runner->gives);
        return;
    }
    if (first >= command->words->len)
        return;
    g_autofree char *text = join_command_words(command, first);
    if (!are_decided(command, first) && strcmp(command->name, "eval") == 0)
        command->facts |= HF_COMMAND_UNREAD_TEXT;
    hf_script_read_nested(state, command, text, runner->gives);
}

/* -exec {}: it runs what it finds. */
static void mark_found_name(HfScriptCommand *command, guint index)
{
    HfScriptWord *word = index < command->words->len ? command->words->pdata[index] : NULL;
    if (word && strstr(word->text, "{}"))
        word->decided = FALSE;
}

static void run_find(HfScriptState *state, HfScriptCommand *command)
{
    static const char *const fd_options[] = {"-x", "-X", "--exec", "--exec-batch", NULL};
    gboolean fd = g_str_has_prefix(command->name, "fd");
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        if (!g_str_has_prefix(text, "-exec") && !g_str_has_prefix(text, "-ok") &&
            !(fd && g_strv_contains(fd_options, text)))
            continue;
        guint end = i + 1;
        while (end < command->words->len &&
               strcmp(hf_script_command_word(command, end)->text, ";") != 0 &&
               strcmp(hf_script_command_word(command, end)->text, "+") != 0)
            end++;
        mark_found_name(command, i + 1);
        hf_script_run_words(state, command, i + 1, end, HF_COMMAND_MORE);
        i = end;
    }
}

/* Everything after -e; one word alone is text for a shell. */
static void run_terminal(HfScriptState *state, HfScriptCommand *command)
{
    static const char *const options[] = {"-e", "-x", "--", "--command", "--execute", NULL};
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        if (g_str_has_prefix(text, "--command="))
            hf_script_read_nested(state, command, text + strlen("--command="), 0);
        if (!g_strv_contains(options, text))
            continue;
        if (i + 2 == command->words->len)
            hf_script_read_nested(state, command, hf_script_command_word(command, i + 1)->text, 0);
        else
            hf_script_run_words(state, command, i + 1, command->words->len, 0);
        return;
    }
}

static void run_alias(HfScriptState *state, HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const char *equals = strchr(text, '=');
        if (!equals)
            continue;
        hf_script_read_nested(state, command, equals + 1, 0);
        g_hash_table_replace(state->aliases, g_strndup(text, (gsize)(equals - text)),
                             g_strdup(equals + 1));
    }
}

/* Arguments that look like commands: tmux send-keys 'ls -l', vim -c ':!ls'. */
static void run_loose(HfScriptState *state, HfScriptCommand *command)
{
    static const char *const editors[] = {"vi", "vim", "nvim", "ex", "view", "vimdiff", NULL};
    gboolean editor = g_strv_contains(editors, command->name);
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const char *bang = editor ? strchr(text, '!') : NULL;
        if (bang)
            hf_script_read_nested(state, command, bang + 1, 0);
        else if (!editor && strpbrk(text, " \t\n;"))
            hf_script_read_nested(state, command, text, 0);
        if (strcmp(text, "--") == 0 && !editor) {
            hf_script_run_words(state, command, i + 1, command->words->len, 0);
            return;
        }
    }
}

/* Programs in strings: read as shell where the code starts other programs. */
static void read_strings(HfScriptState *state, const HfScriptCommand *command)
{
    static const char *const starters[] = {
        "system", "popen", "Popen", "subprocess", "exec", "spawn", "`", "shell", "qx", "%x", NULL};
    gboolean starts = FALSE;
    for (const char *const *word = starters; *word; word++)
        starts |= strstr(command->code, *word) != NULL;
    g_autoptr(GString) all = g_string_new(NULL);
    for (const char *at = command->code; starts && *at; at++) {
        const char *end = strchr("'\"`", *at) ? strchr(at + 1, *at) : NULL;
        if (!end)
            continue;
        g_autofree char *text = g_strndup(at + 1, (gsize)(end - at - 1));
        if (strpbrk(text, " \t"))
            hf_script_read_nested(state, command, text, 0);
        g_string_append_printf(all, "%s ", text);
        at = end;
    }
    if (all->len)
        hf_script_read_nested(state, command, all->str, 0);
}

static char *find_code(const HfCommandWrapper *runner, const HfScriptCommand *command)
{
    guint first = hf_command_wrapper_skip_options(runner, command);
    if (strstr(command->name, "awk"))
        return has_letter(command, first, 'f') ? NULL
               : hf_script_command_word(command, first)
                   ? g_strdup(hf_script_command_word(command, first)->text)
                   : NULL;
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        gsize length = strlen(text);
        gboolean has_value = length > 2 && strchr("MmIWXr", text[1]);
        char last = length > 1 && text[0] == '-' && !has_value ? text[length - 1] : '\0';
        gboolean php = g_str_has_prefix(command->name, "php");
        if (next && text[0] == '-' &&
            ((text[1] != '-' && last && strchr(php ? "r" : "ceEp", last)) ||
             strcmp(text, "--eval") == 0 || strcmp(text, "--print") == 0 ||
             strcmp(text, "eval") == 0))
            return g_strdup(next->text);
        if (g_str_has_prefix(text, "--eval="))
            return g_strdup(text + strlen("--eval="));
        if (g_str_has_prefix(text, "-e") && length > 2)
            return g_strdup(text + 2);
    }
    return NULL;
}

static void run_code(HfScriptState *state, const HfCommandWrapper *runner, HfScriptCommand *command)
{
    guint first = hf_command_wrapper_skip_options(runner, command);
    const HfScriptWord *file = hf_script_command_word(command, first);
    gboolean reads_input = !file || strcmp(file->text, "-") == 0;
    command->code = find_code(runner, command);
    if (!command->code && reads_input && !strstr(command->name, "awk")) {
        command->code = g_strdup(command->input);
        if (!command->code && first == 1 && is_fed(state, command))
            command->facts |= HF_COMMAND_UNREAD_TEXT;
    } else if (!command->code && file && content_of(state, file)) {
        command->code = g_strdup(content_of(state, file));
    } else if (!command->code && file) {
        read_script_file(state, command, file);
    }
    if (command->code)
        read_strings(state, command);
}

static void add_wrapped_command(HfScriptState *state, const HfCommandWrapper *runner,
                                HfScriptCommand *command)
{
    switch (runner->kind) {
    case HF_WRAPPER_WORDS:
    case HF_WRAPPER_TEXT:
        run_plain(state, runner, command);
        return;
    case HF_WRAPPER_SHELL:
        run_shell(state, runner, command);
        return;
    case HF_WRAPPER_OPTION_C:
        run_option_c(state, runner, command);
        return;
    case HF_WRAPPER_CODE:
        run_code(state, runner, command);
        return;
    case HF_WRAPPER_FIND:
        run_find(state, command);
        return;
    case HF_WRAPPER_TERMINAL:
        run_terminal(state, command);
        return;
    case HF_WRAPPER_SOURCE:
        if (hf_script_command_word(command, 1))
            read_script_file(state, command, hf_script_command_word(command, 1));
        return;
    case HF_WRAPPER_ALIAS:
        run_alias(state, command);
        return;
    case HF_WRAPPER_DECLARE:
        hf_script_run_declare(state, command);
        return;
    case HF_WRAPPER_BUILTIN:
        hf_script_run_builtin(state, command);
        return;
    case HF_WRAPPER_GIT:
        hf_script_run_git(state, command);
        return;
    case HF_WRAPPER_PARALLEL:
        hf_script_run_parallel(state, runner, command);
        return;
    case HF_WRAPPER_INPUT:
        read_input(state, command);
        return;
    case HF_WRAPPER_LOOSE:
        run_loose(state, command);
        return;
    }
}

/* A pattern in place of the command runs whatever file it matches. */
static gboolean is_pattern(const char *text)
{
    return strpbrk(text, "*?") || (strchr(text, '[') && strchr(text, ']') && strlen(text) > 2);
}

static void set_command_name(HfScriptState *state, HfScriptCommand *command)
{
    const HfScriptWord *word = hf_script_command_word(command, 0);
    command->name = word ? g_path_get_basename(word->text) : g_strdup("");
    if (!word)
        return;
    if (!word->decided || !*word->text || is_pattern(word->text))
        command->facts |= HF_COMMAND_UNDECIDED;
    note_origin(state, command, word->text);
}

static void add_file_spellings(GHashTable *files, const char *path)
{
    g_autofree char *last = g_path_get_basename(path);
    g_hash_table_add(files, g_strdup(path));
    g_hash_table_add(files, g_strconcat("./", last, NULL));
    g_hash_table_add(files, g_steal_pointer(&last));
}

/* Files that programs write because their arguments say so, and downloads. */
static void note_written(HfScriptState *state, const HfScriptCommand *command)
{
    static const char *const fetchers[] = {"curl", "wget", "aria2c", "fetch", "scp", NULL};
    static const char *const writers[] = {"tee", "cp", "dd", NULL};
    gboolean fetches = g_strv_contains(fetchers, command->name);
    if (!fetches && !g_strv_contains(writers, command->name))
        return;
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const char *value = g_str_has_prefix(text, "of=") ? text + 3 : text;
        add_file_spellings(state->written, value);
        if (fetches)
            add_file_spellings(state->fetched, value);
    }
    for (guint i = 0; fetches && i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        if (redirect->writes)
            add_file_spellings(state->fetched, redirect->target.text);
    }
}

void hf_script_add_command(HfScriptState *state, HfScriptCommand *take_command)
{
    HfScriptCommand *command = take_command;
    if (state->script->commands->len >= HF_LIMIT_SCRIPT_COMMANDS) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        hf_script_command_free(command);
        return;
    }
    set_command_name(state, command);
    command->facts |= state->inherited;
    command->function = state->function;
    const HfScriptCommand *before = !command->input && command->place > 0
                                        ? hf_script_previous_command(state->script, command)
                                        : NULL;
    if (before)
        command->input = hf_script_command_output(before);
    note_written(state, command);
    hf_script_place_command(state, command);
    g_ptr_array_add(state->script->commands, command);
    const HfCommandWrapper *runner = hf_command_wrapper_find(command->name);
    if (runner)
        add_wrapped_command(state, runner, command);
    hf_script_find_hidden(state, runner, command);
}
