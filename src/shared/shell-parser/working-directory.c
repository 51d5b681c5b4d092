/* SPDX-License-Identifier: Apache-2.0 */
/* Follows cd, so that a relative path after it can be judged. Where a cd may not run, or may have
 * failed, both places are possible: a text has a list of them. */
#include "shared/shell-parser/working-directory.h"

#include <string.h>

#include "shared/shell-parser/shell-parser-limits.h"

static gboolean has_directory(const GPtrArray *list, const char *directory)
{
    for (guint i = 0; list && i < list->len; i++)
        if (strcmp(list->pdata[i], directory) == 0)
            return TRUE;
    return FALSE;
}

/* Lists are shared with the commands that were read before, so they never change. */
static GPtrArray *join_lists(HfScriptState *state, const GPtrArray *one, const GPtrArray *other,
                             guint most)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    const GPtrArray *lists[] = {one, other};
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        for (guint j = 0; lists[i] && j < lists[i]->len; j++) {
            if (has_directory(all, lists[i]->pdata[j]))
                continue;
            if (all->len == most) {
                state->script->facts |= HF_SCRIPT_TOO_MUCH;
                return all;
            }
            g_ptr_array_add(all, g_strdup(lists[i]->pdata[j]));
        }
    return all;
}

/* A text that has been in so many places is not followed any further; it counts as dangerous. */
static gboolean is_lost(const HfScriptState *state)
{
    return (state->script->facts & HF_SCRIPT_TOO_MUCH) != 0;
}

static void take_directories(HfScriptState *state, GPtrArray *take_list)
{
    GPtrArray *visited = join_lists(state, state->visited, take_list, HF_LIMIT_SCRIPT_VISITED);
    g_clear_pointer(&state->visited, g_ptr_array_unref);
    g_clear_pointer(&state->directories, g_ptr_array_unref);
    state->visited = visited;
    state->directories = take_list;
}

/* Without "." and "x/..": a text that goes up and down has few places then. */
static char *normalize_directory(char *take_path)
{
    g_auto(GStrv) names = g_strsplit(take_path, "/", -1);
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (char **name = names; *name; name++) {
        const char *last = kept->len ? kept->pdata[kept->len - 1] : "..";
        if (strcmp(*name, ".") == 0 || (!**name && name != names))
            continue;
        if (strcmp(*name, "..") == 0 && *last && strcmp(last, "..") != 0 && last[0] != '~' &&
            !strchr(last, HF_SCRIPT_UNKNOWN))
            g_ptr_array_set_size(kept, (int)kept->len - 1);
        else
            g_ptr_array_add(kept, *name);
    }
    g_ptr_array_add(kept, NULL);
    char *path = g_strjoinv("/", (char **)kept->pdata);
    if (!*path) {
        g_free(path);
        path = g_strdup(take_path[0] == '/' ? "/" : ".");
    }
    g_free(take_path);
    return path;
}

/* `target` seen from each place where the text may be. */
static GPtrArray *resolve_target(const HfScriptState *state, const char *target)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    gboolean relative = !strchr("/~", target[0]) && target[0] != HF_SCRIPT_UNKNOWN;
    if (!relative || !state->directories)
        g_ptr_array_add(list, normalize_directory(g_strdup(target)));
    for (guint i = 0; relative && state->directories && i < state->directories->len; i++)
        g_ptr_array_add(list, normalize_directory(g_strconcat((char *)state->directories->pdata[i],
                                                              "/", target, NULL)));
    return list;
}

void hf_script_enter_directory(HfScriptState *state, const char *target)
{
    if (strlen(target) > HF_LIMIT_SCRIPT_DIRECTORY_BYTES) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        return;
    }
    take_directories(state, resolve_target(state, target));
}

GPtrArray *hf_script_save_directories(const HfScriptState *state)
{
    return state->directories ? g_ptr_array_ref(state->directories) : NULL;
}

void hf_script_join_directories(HfScriptState *state, GPtrArray *take_saved)
{
    if (take_saved == state->directories || !state->directories) {
        g_clear_pointer(&take_saved, g_ptr_array_unref);
        return;
    }
    GPtrArray *all = join_lists(state, take_saved, state->directories, HF_LIMIT_SCRIPT_DIRECTORIES);
    g_clear_pointer(&take_saved, g_ptr_array_unref);
    take_directories(state, all);
}

void hf_script_restore_directories(HfScriptState *state, GPtrArray *take_saved)
{
    g_clear_pointer(&state->directories, g_ptr_array_unref);
    state->directories = take_saved;
}

static gboolean goes_back(const HfScriptCommand *command, const char *target)
{
    return strcmp(command->name, "popd") == 0 || strcmp(target, "-") == 0 ||
           g_str_has_prefix(target, "~-") || g_str_has_prefix(target, "+");
}

static void follow_directory(HfScriptState *state, const HfScriptCommand *command)
{
    static const char *const names[] = {"cd", "chdir", "pushd", "popd", NULL};
    if (!g_strv_contains(names, command->name))
        return;
    if (is_lost(state))
        return;
    guint at = 1;
    while (at < command->words->len) {
        const char *option = hf_script_command_word(command, at)->text;
        if (option[0] != '-' || !option[1])
            break;
        at++;
    }
    const HfScriptWord *word = hf_script_command_word(command, at);
    const char *target = word && *word->text ? word->text : "~";
    GPtrArray *saved = hf_script_save_directories(state);
    if (goes_back(command, target))
        take_directories(state,
                         join_lists(state, state->visited, NULL, HF_LIMIT_SCRIPT_DIRECTORIES));
    else
        hf_script_enter_directory(state, target);
    if (state->conditional || strcmp(command->name, "pushd") == 0)
        hf_script_join_directories(state, saved);
    else
        g_clear_pointer(&saved, g_ptr_array_unref);
}

void hf_script_place_command(HfScriptState *state, HfScriptCommand *command)
{
    /* Each argument is judged from each place. */
    state->places += state->directories ? command->words->len * state->directories->len : 0;
    if (state->places > HF_LIMIT_SCRIPT_PLACES)
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
    else
        command->directories = hf_script_save_directories(state);
    follow_directory(state, command);
}
