/* SPDX-License-Identifier: Apache-2.0 */
/* An entry without effect is refused, because somebody relies on it. */
#include "desk/policy/config/config-privacy.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

static const json_t *blur_list_of(const json_t *document)
{
    return json_object_get(json_object_get(document, "privacy"), "blur");
}

/* NULL: the entry is fine. */
static const char *find_blur_entry_fault(const json_t *entry)
{
    const json_t *window = json_object_get(entry, "window"), *rect = json_object_get(entry, "rect");
    if (!window && !rect)
        return "expected a window, a rect, or both";
    if (window && json_object_size(window) == 0)
        return "window: expected a title, an app, or both";
    if (json_object_get(entry, "corner") && (!window || !rect))
        return "corner: only goes with a rect within a window";
    return NULL;
}

gboolean hf_config_privacy_check(const json_t *document, const char *file, GError **error)
{
    size_t index;
    json_t *entry;
    json_array_foreach (blur_list_of(document), index, entry) {
        const char *fault = find_blur_entry_fault(entry);
        if (!fault)
            continue;
        g_autofree char *path = g_strdup_printf("privacy.blur[%zu]", index);
        hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s%s%s: %s", file ? file : "", file ? ": " : "",
                path, fault);
        hf_error_take_details(error, json_pack("{s:s, s:s}", "path", path, "expected", fault));
        return FALSE;
    }
    return TRUE;
}

json_t *hf_config_privacy_steal_list(json_t *policy)
{
    json_t *privacy = json_object_get(policy, "privacy");
    json_t *list = json_incref(json_object_get(privacy, "blur"));
    json_object_del(privacy, "blur");
    if (json_object_size(privacy) == 0)
        json_object_del(policy, "privacy");
    return list;
}

static gboolean blur_list_has(const json_t *list, const json_t *entry)
{
    size_t index;
    json_t *other;
    json_array_foreach (list, index, other)
        if (json_equal(other, entry))
            return TRUE;
    return FALSE;
}

void hf_config_privacy_add_list(json_t *document, const json_t *list)
{
    if (json_array_size(list) == 0)
        return;
    json_t *all = json_copy((json_t *)list), *entry;
    size_t index;
    json_array_foreach (blur_list_of(document), index, entry)
        if (!blur_list_has(list, entry))
            json_array_append(all, entry);
    json_t *privacy = json_object_get(document, "privacy");
    if (!privacy) {
        privacy = json_object();
        json_object_set_new(document, "privacy", privacy);
    }
    json_object_set_new(privacy, "blur", all);
}

json_t *hf_config_privacy_list_for(const json_t *blur, const char *desktop)
{
    json_t *holds = NULL, *entry;
    size_t index;
    json_array_foreach (blur, index, entry) {
        const char *only = hf_json_string(entry, "desktop", desktop);
        if (!g_str_equal(only, desktop))
            continue;
        if (!holds)
            holds = json_array();
        json_array_append_new(holds, json_deep_copy(entry));
    }
    return holds;
}
