/* Reads fixtures. */
#include "trees.h"

#include "base/json.h"

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
