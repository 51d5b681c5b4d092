/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts, commands and words: creates and frees them, and knows which command feeds which. */
#include "shared/shell-parser/shell-script.h"

#include <string.h>

#include "shared/shell-parser/shell-parser-limits.h"
#include "shared/shell-parser/shell-reader.h"

typedef struct Pipeline {
    int parent, place; /* -1: in none */
} Pipeline;

HfScriptWord *hf_script_word_new(const char *text, gboolean decided, gboolean quoted)
{
    HfScriptWord *word = g_new(HfScriptWord, 1);
    *word = (HfScriptWord){g_strdup(text), decided, quoted};
    return word;
}

void hf_script_word_free(HfScriptWord *word)
{
    g_free(word->text);
    g_free(word);
}

static void redirect_free(gpointer data)
{
    HfScriptRedirect *redirect = data;
    g_free(redirect->target.text);
    g_free(redirect);
}

HfScriptCommand *hf_script_command_new(void)
{
    HfScriptCommand *command = g_new0(HfScriptCommand, 1);
    command->words = g_ptr_array_new_with_free_func((GDestroyNotify)hf_script_word_free);
    command->redirects = g_ptr_array_new_with_free_func(redirect_free);
    command->sets = g_ptr_array_new_with_free_func(g_free);
    command->values = g_ptr_array_new_with_free_func(g_free);
    return command;
}

void hf_script_command_free(HfScriptCommand *command)
{
    g_free(command->name);
    g_ptr_array_unref(command->words);
    g_ptr_array_unref(command->redirects);
    g_ptr_array_unref(command->sets);
    g_ptr_array_unref(command->values);
    g_clear_pointer(&command->directories, g_ptr_array_unref);
    g_free(command->input);
    g_free(command->code);
    g_free(command);
}

void hf_script_command_set(HfScriptCommand *command, char *take_name, const char *value)
{
    g_ptr_array_add(command->sets, take_name);
    g_ptr_array_add(command->values, g_strdup(value));
}

const HfScriptWord *hf_script_command_word(const HfScriptCommand *command, guint index)
{
    return index < command->words->len ? command->words->pdata[index] : NULL;
}

int hf_script_add_pipeline(HfScript *script, int parent, int place)
{
    Pipeline pipeline = {parent, place};
    g_array_append_val(script->pipelines, pipeline);
    return (int)script->pipelines->len - 1;
}

static HfScript *script_new(void)
{
    HfScript *script = g_new0(HfScript, 1);
    script->commands = g_ptr_array_new_with_free_func((GDestroyNotify)hf_script_command_free);
    script->pipelines = g_array_new(FALSE, FALSE, sizeof(Pipeline));
    script->names = g_ptr_array_new_with_free_func(g_free);
    return script;
}

void hf_script_free(HfScript *script)
{
    if (!script)
        return;
    g_ptr_array_unref(script->commands);
    g_array_unref(script->pipelines);
    g_ptr_array_unref(script->names);
    g_free(script);
}

static void variable_free(gpointer data)
{
    HfScriptVariable *variable = data;
    g_free(variable->text);
    g_free(variable);
}

static void state_init(HfScriptState *state, HfScript *script)
{
    *state = (HfScriptState){.script = script, .bytes_left = HF_LIMIT_SCRIPT_BYTES};
    state->variables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, variable_free);
    state->aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    state->written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    state->fetched = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void clear_script_state(HfScriptState *state)
{
    g_hash_table_unref(state->variables);
    g_hash_table_unref(state->aliases);
    g_hash_table_unref(state->written);
    g_hash_table_unref(state->fetched);
    g_clear_pointer(&state->directories, g_ptr_array_unref);
    g_clear_pointer(&state->visited, g_ptr_array_unref);
}

HfScript *hf_script_read(const char *text)
{
    HfScript *script = script_new();
    HfScriptState state;
    state_init(&state, script);
    hf_script_read_text(&state, text, strlen(text), -1, 0);
    clear_script_state(&state);
    return script;
}

HfScript *hf_script_read_arguments(const char *const *arguments)
{
    return hf_script_read_file(arguments, NULL, NULL);
}

HfScript *hf_script_read_file(const char *const *arguments, const char *path, const char *content)
{
    HfScript *script = script_new();
    HfScriptState state;
    state_init(&state, script);
    state.path = path;
    state.content = content;
    HfScriptCommand *command = hf_script_command_new();
    for (; *arguments; arguments++)
        g_ptr_array_add(command->words, hf_script_word_new(*arguments, TRUE, TRUE));
    command->pipeline = hf_script_add_pipeline(script, -1, 0);
    hf_script_add_command(&state, command);
    clear_script_state(&state);
    return script;
}

/* Whether `place` of `pipeline` comes before `to` in a pipe that contains both. */
static gboolean is_before(const HfScript *script, int pipeline, int place,
                          const HfScriptCommand *to)
{
    int above = to->pipeline, above_place = to->place;
    while (above >= 0) {
        if (above == pipeline && place < above_place)
            return TRUE;
        const Pipeline *next = &g_array_index(script->pipelines, Pipeline, above);
        above = next->parent;
        above_place = next->place;
    }
    return FALSE;
}

gboolean hf_script_feeds(const HfScript *script, const HfScriptCommand *from,
                         const HfScriptCommand *to)
{
    int pipeline = from->pipeline, place = from->place;
    while (pipeline >= 0) {
        if ((pipeline >= to->inner_first && pipeline < to->inner_end) ||
            is_before(script, pipeline, place, to))
            return TRUE;
        const Pipeline *above = &g_array_index(script->pipelines, Pipeline, pipeline);
        pipeline = above->parent;
        place = above->place;
    }
    return FALSE;
}

char *hf_script_command_describe(const HfScriptCommand *command, gsize limit)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < command->words->len && text->len <= limit; i++) {
        const HfScriptWord *word = command->words->pdata[i];
        g_string_append_printf(text, "%s%s", i ? " " : "", word->text);
    }
    for (gsize i = 0; i < text->len; i++)
        if (text->str[i] == HF_SCRIPT_UNKNOWN)
            text->str[i] = '?';
        else if (g_ascii_iscntrl(text->str[i]))
            text->str[i] = ' ';
    if (text->len > limit) {
        g_string_truncate(text, limit);
        g_string_append(text, "...");
    }
    g_autofree char *bytes = g_string_free(text, FALSE);
    return g_utf8_make_valid(bytes, -1);
}
