/* SPDX-License-Identifier: Apache-2.0 */
/* Reads fixtures. */
#include "trees.h"

#include "shared/base/json.h"

HfTree *hf_test_tree(const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_strconcat(name, ".json", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("HF_TEST_SOURCE"), "unit", "data", file, NULL);
    g_autoptr(json_t) json = json_load_file(path, 0, NULL);
    g_assert_nonnull(json);
    HfTree *tree = hf_tree_from_json(json, &error);
    g_assert_no_error(error);
    return tree;
}

/* Parents stand before their children, so whoever has lost its parent is met after it. */
static void close_gaps(json_t *nodes)
{
    g_autoptr(GArray) moved = g_array_new(FALSE, FALSE, sizeof(int));
    for (gsize i = 0; i < json_array_size(nodes);) {
        json_t *node = json_array_get(nodes, i);
        int parent = (int)hf_json_int(node, "parent", -1);
        int at = parent < 0 ? -1 : g_array_index(moved, int, parent);
        gboolean lost = json_is_null(node) || (parent >= 0 && at < 0);
        int now = lost ? -1 : (int)i;
        g_array_append_val(moved, now);
        if (lost) {
            json_array_remove(nodes, i);
            continue;
        }
        json_object_set_new(node, "parent", json_integer(at));
        i++;
    }
}

HfTree *hf_test_tree_changed(const char *name, const char *changes)
{
    g_autoptr(HfTree) tree = hf_test_tree(name);
    g_autoptr(json_t) json = hf_tree_to_json(tree);
    g_autoptr(json_t) wanted = json_loads(changes, 0, NULL);
    g_assert_nonnull(wanted);
    json_t *nodes = json_object_get(json, "nodes"), *change;
    const char *key;
    json_object_foreach (wanted, key, change) {
        gsize index = (gsize)g_ascii_strtoull(key, NULL, 10);
        if (json_is_null(change))
            json_array_set_new(nodes, index, json_null());
        else
            json_object_update(json_array_get(nodes, index), change);
    }
    close_gaps(nodes);
    g_autoptr(GError) error = NULL;
    HfTree *changed = hf_tree_from_json(json, &error);
    g_assert_no_error(error);
    return changed;
}
