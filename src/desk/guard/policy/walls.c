/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration and every grant of the chain have lists, and a call must satisfy all of them.
 * Lists are not intersected here: they go to the hand side by side. */
#include "desk/guard/policy/walls.h"

#include "desk/guard/policy/caller-rights.h"
#include "shared/base/paths.h"

/* Expands "~" only. Links are for the hand to resolve, when it opens something. */
static json_t *absolute_path_json(const char *path)
{
    g_autofree char *place = path[0] == '~' && (path[1] == '/' || !path[1])
                                 ? g_build_filename(g_get_home_dir(), path + 1, NULL)
                                 : g_strdup(path);
    return json_string(place);
}

static json_t *absolute_all(const json_t *list)
{
    json_t *places = json_array();
    size_t index;
    json_t *entry;
    json_array_foreach (list, index, entry)
        json_array_append_new(places, absolute_path_json(json_string_value(entry)));
    return places;
}

/* The owner's list, followed by the lists of all grants. */
static json_t *lists_of(const HfPassage *passage, const char *name, json_t *take_owners)
{
    json_t *lists = json_array();
    gboolean paths = g_str_equal(name, "allowed_directories");
    if (json_array_size(take_owners) > 0 || paths)
        json_array_append(lists, take_owners);
    json_decref(take_owners);
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        const json_t *list = hf_grant_find_list(entry->grant, name);
        if (list)
            json_array_append_new(lists, paths ? absolute_all(list) : json_deep_copy(list));
    }
    return lists;
}

static gboolean is_caller_unwalled(const HfPassage *passage)
{
    if (hf_caller_rights_level(passage->config, passage->request->caller) < HF_LEVEL_FULL)
        return FALSE;
    for (guint i = 0; passage->grant.chain && i < passage->grant.chain->len; i++) {
        const HfGrantEntry *entry = passage->grant.chain->pdata[i];
        if (hf_grant_find_list(entry->grant, "allowed_directories") ||
            (entry->level != HF_LEVEL_NONE && entry->level < HF_LEVEL_FULL))
            return FALSE;
    }
    return TRUE;
}

/* The desk's own files by absolute path, because a hand may have another home. */
static json_t *list_hidden(void)
{
    g_autofree char *runtime = hf_path_dup_runtime(), *config = hf_path_dup_config();
    g_autofree char *settings = g_path_get_dirname(config);
    g_autofree char *data = g_build_filename(g_get_user_data_dir(), "handfast", NULL);
    return json_pack("[o, o, o, o]", hf_json_text(runtime), hf_json_text(settings),
                     hf_json_text(data), hf_json_text(g_get_user_runtime_dir()));
}

static json_t *shell_settings(const HfConfig *config)
{
    json_t *settings = json_deep_copy(hf_config_get(config, "shell"));
    json_object_set_new(settings, "readable",
                        absolute_all(hf_config_get(config, "shell.readable")));
    json_object_set_new(settings, "hidden", list_hidden());
    return settings;
}

json_t *hf_walls_for_call(const HfPassage *passage)
{
    if (!(passage->tool->flags & HF_TOOL_WALLED))
        return NULL;
    const HfConfig *config = passage->config;
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    json_t *walls = json_pack(
        "{s:o, s:o, s:I, s:{s:o, s:o}, s:b, s:s}", "directories",
        lists_of(passage, "allowed_directories",
                 absolute_all(hf_config_get(config, "security.allowed_directories"))),
        "denied", absolute_all(hf_config_get(config, "security.denied_patterns")), "max_file_size",
        (json_int_t)hf_config_int(config, "security.max_file_size"), "domains", "allowed",
        lists_of(passage, "allowed_domains",
                 json_deep_copy(hf_config_get(config, "security.allowed_domains"))),
        "blocked", json_deep_copy(hf_config_get(config, "security.blocked_domains")), "open",
        is_caller_unwalled(passage), "caller", caller);
    if (passage->tool->category == HF_CATEGORY_TERMINAL)
        json_object_set_new(walls, "shell", shell_settings(config));
    return walls;
}
