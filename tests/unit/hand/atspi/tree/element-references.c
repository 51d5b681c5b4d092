/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/tree/element-fingerprint.c and element-references.c. */
#include "hand/atspi/tree/element-references.h"

#include <glib/gstdio.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "trees.h"

#define ELSEWHERE "\"bounds\": {\"x\": 7, \"y\": 8, \"width\": 90, \"height\": 30}"

static void test_again(void)
{
    static const struct {
        int index;
        const char *changes;
        HfReidentified again;
        int now;
    } cases[] = {
        {11, "{}", HF_REIDENTIFIED_SAME, 11},
        {11, "{\"11\": {" ELSEWHERE "}}", HF_REIDENTIFIED_MOVED, 11},
        {11, "{\"11\": {\"name\": \"Close\"}}", HF_REIDENTIFIED_CHANGED, 11},
        {11, "{\"11\": {\"role\": \"label\"}}", HF_REIDENTIFIED_CHANGED, 11},
        /* A new object in its stead, and one that has nothing to do with it. */
        {11, "{\"11\": {\"path\": \"/new\"}}", HF_REIDENTIFIED_SAME, 11},
        {11, "{\"11\": {\"path\": \"/new\", \"name\": \"Close\"}}", HF_REIDENTIFIED_GONE, 0},
        /* Its old object is another button now, and it has another one. */
        {11, "{\"11\": {\"path\": \"/12\"}, \"12\": {\"path\": \"/11\"}}", HF_REIDENTIFIED_SAME,
         11},
        /* Known by the text inside of it. */
        {9, "{\"10\": {\"name\": \"Sign out\"}}", HF_REIDENTIFIED_CHANGED, 9},
        {9, "{\"9\": {" ELSEWHERE "}}", HF_REIDENTIFIED_MOVED, 9},
        /* A state, a value or a text elsewhere is not what it is. */
        {8, "{\"8\": {\"states\": 0}}", HF_REIDENTIFIED_SAME, 8},
        {35, "{\"35\": {\"value\": \"other\"}}", HF_REIDENTIFIED_SAME, 35},
        {11, "{\"13\": {\"name\": \"Total: 43\"}}", HF_REIDENTIFIED_SAME, 11},
        /* One of three that look alike: by the texts of its row. */
        {28, "{}", HF_REIDENTIFIED_SAME, 28},
        {28, "{\"26\": {\"name\": \"Dave\"}}", HF_REIDENTIFIED_CHANGED, 28},
        {28, "{\"26\": {\"name\": \"Alice\"}, \"22\": {\"name\": \"Bob\"}}", HF_REIDENTIFIED_MOVED,
         24},
        {28, "{\"28\": {\"path\": \"/new\"}}", HF_REIDENTIFIED_SAME, 28},
        {28, "{\"28\": {\"path\": \"/new\"}, \"26\": {\"name\": \"Dave\"}}", HF_REIDENTIFIED_GONE,
         0},
        /* A field without a name. */
        {3, "{\"3\": {" ELSEWHERE "}}", HF_REIDENTIFIED_MOVED, 3},
        {3, "{\"3\": {\"path\": \"/new\", \"role\": \"button\"}}", HF_REIDENTIFIED_GONE, 0},
    };
    g_autoptr(HfTree) before = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) now = hf_test_tree_changed("forms", cases[i].changes);
        int index = 0;
        HfReidentified again = hf_fingerprint_find(before, cases[i].index, now, &index);
        if (again != cases[i].again || index != cases[i].now)
            g_error("%d %s: %d at %d", cases[i].index, cases[i].changes, again, index);
    }
}

static void test_fingerprint(void)
{
    static const struct {
        const char *changes;
        gboolean same;
    } cases[] = {
        {"{}", TRUE},
        {"{\"9\": {\"states\": 0}}", TRUE},
        {"{\"0\": {\"name\": \"Sign in - 2\"}}", TRUE},
        {"{\"9\": {" ELSEWHERE "}}", FALSE},
        {"{\"9\": {\"name\": \"x\"}}", FALSE},
        {"{\"10\": {\"name\": \"x\"}}", FALSE},
        {"{\"1\": {\"name\": \"x\"}}", FALSE},
    };
    g_autoptr(HfTree) before = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) now = hf_test_tree_changed("forms", cases[i].changes);
        g_assert_cmpint(hf_fingerprint(before, 9) == hf_fingerprint(now, 9), ==, cases[i].same);
    }
    g_autofree char *text = hf_fingerprint_to_text(hf_fingerprint(before, 9));
    g_assert_cmpuint(strlen(text), ==, 12);
}

static void test_names(void)
{
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    /* The row of the second "Delete" is another one now. */
    g_autoptr(HfTree) later =
        hf_test_tree_changed("forms", "{\"26\": {\"name\": \"Dave\"}, \"11\": {" ELSEWHERE "}}");
    guint first = hf_references_add_snapshot(references, tree);
    guint cancel = hf_references_name(references, first, 11);
    guint delete_bob = hf_references_name(references, first, 28);
    g_assert_cmpuint(first, ==, 1);
    g_assert_cmpuint(cancel, ==, 1);
    g_assert_cmpuint(hf_references_name(references, first, 11), ==, cancel);
    guint second = hf_references_add_snapshot(references, later);
    g_assert_cmpuint(hf_references_name(references, second, 11), ==, cancel);
    g_assert_cmpuint(hf_references_name(references, second, 28), !=, delete_bob);
    g_auto(HfReference) reference = {0};
    g_assert_true(hf_references_look_up(references, 0, cancel, &reference, NULL));
    g_assert_cmpuint(reference.snapshot, ==, second);
    hf_reference_clear(&reference);
    g_assert_true(hf_references_look_up(references, first, cancel, &reference, NULL));
    g_assert_true(reference.tree == tree && reference.index == 11 && !reference.expired);
    hf_reference_clear(&reference);
    g_assert_true(hf_references_look_up(references, 0, delete_bob, &reference, NULL));
    g_assert_cmpuint(reference.snapshot, ==, first);
    g_assert_cmpuint(hf_references_name(references, 99, 1), ==, 0);
}

/* Nothing tells these apart but that they are two. */
static void test_twins(void)
{
    g_autoptr(HfTree) tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.name = "x"});
    for (int i = 0; i < 2; i++)
        hf_tree_add(tree, HF_NODE_NONE, &(HfNode){.role = HF_ROLE_BUTTON, .name = "x"});
    hf_tree_finish(tree);
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    guint snapshot = hf_references_add_snapshot(references, tree);
    g_assert_cmpuint(hf_references_name(references, snapshot, 0), !=,
                     hf_references_name(references, snapshot, 1));
}

static void assert_expired(HfReferences *references, guint ref, gboolean expired)
{
    g_auto(HfReference) reference = {0};
    g_assert_true(hf_references_look_up(references, 0, ref, &reference, NULL));
    g_assert_cmpint(reference.expired, ==, expired);
}

static void test_age(void)
{
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    guint snapshot = hf_references_add_snapshot(references, tree);
    guint ref = hf_references_name(references, snapshot, 11);
    assert_expired(references, ref, FALSE);
    hf_references_age(references, HF_LIMIT_SNAPSHOT_MS + 1000);
    assert_expired(references, ref, TRUE);
    hf_references_age(references, HF_LIMIT_SNAPSHOT_FORGET_MS);
    hf_references_trim(references);
    g_autoptr(GError) error = NULL;
    g_auto(HfReference) reference = {0};
    g_assert_false(hf_references_look_up(references, 0, ref, &reference, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_STALE_SNAPSHOT);
    g_clear_error(&error);
    g_assert_null(hf_references_dup_tree(references, snapshot, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_STALE_SNAPSHOT);
}

static void test_uses(void)
{
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    guint ref = hf_references_name(references, hf_references_add_snapshot(references, tree), 11);
    for (guint i = 0; i < HF_LIMIT_SNAPSHOT_USES; i++)
        assert_expired(references, ref, FALSE);
    assert_expired(references, ref, TRUE);
}

/* However many are kept, only the last ones are remembered. */
static void test_bounds(void)
{
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    guint last = 0;
    for (guint i = 0; i < 3 * HF_LIMIT_SNAPSHOTS; i++) {
        last = hf_references_add_snapshot(references, tree);
        hf_references_name(references, last, (int)i % 40);
    }
    for (guint i = 1; i <= last; i++) {
        g_autoptr(HfTree) kept = hf_references_dup_tree(references, i, NULL);
        g_assert_cmpint(kept != NULL, ==, i > last - HF_LIMIT_SNAPSHOTS);
    }
}

/* The hand after this one gives no name again. */
static void test_next_hand(void)
{
    g_autofree char *directory = g_dir_make_tmp("references-XXXXXX", NULL);
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    guint last = 0;
    for (int hand = 0; hand < 3; hand++) {
        g_autoptr(HfReferences) references = hf_references_new(directory);
        guint snapshot = hf_references_add_snapshot(references, tree);
        guint ref = hf_references_name(references, snapshot, 11);
        g_assert_cmpuint(ref, >, last);
        g_assert_cmpuint(snapshot, >, last);
        last = MAX(ref, snapshot);
    }
    g_autofree char *file = g_build_filename(directory, "references", NULL);
    g_remove(file);
    g_rmdir(directory);
}

static gpointer use(gpointer data)
{
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    for (int i = 0; i < 200; i++) {
        guint snapshot = hf_references_add_snapshot(data, tree);
        guint ref = hf_references_name(data, snapshot, i % 40);
        g_auto(HfReference) reference = {0};
        if (hf_references_look_up(data, snapshot, ref, &reference, NULL))
            g_assert_cmpint(reference.index, ==, i % 40);
    }
    return NULL;
}

static void test_threads(void)
{
    g_autoptr(HfReferences) references = hf_references_new(NULL);
    GThread *threads[4];
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("use", use, references);
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        g_thread_join(threads[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/references/again", test_again);
    g_test_add_func("/references/fingerprint", test_fingerprint);
    g_test_add_func("/references/names", test_names);
    g_test_add_func("/references/twins", test_twins);
    g_test_add_func("/references/age", test_age);
    g_test_add_func("/references/uses", test_uses);
    g_test_add_func("/references/bounds", test_bounds);
    g_test_add_func("/references/next-hand", test_next_hand);
    g_test_add_func("/references/threads", test_threads);
    return g_test_run();
}
