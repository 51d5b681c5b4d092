/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls leave an entry in the ledger, how each can be taken back, and where what must not be
 * written down stays meanwhile. */
#include "desk/guard/ledger-write.h"

#include <string.h>

#include "desk/guard/passage.h"
#include "desk/records/ledger/ledger.h"
#include "desk/records/records-limits.h"
#include "desk/records/store/ledger-rows.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/remove-tree.h"
#include "shared/tool/registry.h"

#define WAY_BACK "{\"tool\": \"clipboard_write\", \"params\": {\"text\": \"hunter2\"}}"

static const struct {
    const char *tool;
    gboolean performed, dry_run;
    int error;        /* -1: none */
    const char *undo; /* what the hand has seen; NULL: nothing */
    const char *kept; /* the tool that takes it back; "" none does; NULL: no entry */
} cases[] = {
    {"clipboard_write", TRUE, FALSE, -1, WAY_BACK, "clipboard_write"},
    {"clipboard_write", TRUE, FALSE, -1, NULL, ""},
    {"clipboard_write", FALSE, FALSE, -1, WAY_BACK, NULL},
    {"clipboard_write", TRUE, TRUE, -1, WAY_BACK, NULL},
    {"screenshot", TRUE, FALSE, -1, NULL, NULL},
    {"undo_last", TRUE, FALSE, -1, NULL, NULL},
    {"left_click", TRUE, FALSE, HF_ERROR_INVALID_PARAMS, NULL, NULL},
    {"left_click", TRUE, FALSE, HF_ERROR_OUTCOME_UNKNOWN, NULL, ""},
    {"left_click", TRUE, FALSE, HF_ERROR_DESKTOP_TIMEOUT, WAY_BACK, ""},
    {"left_click", TRUE, FALSE, HF_ERROR_DESKTOP_ABORTED, NULL, ""},
    {"left_click", TRUE, FALSE, HF_ERROR_APP_NOT_ALLOWED, NULL, NULL},
    {"clipboard_write", TRUE, FALSE, -1, "{\"none\": \"" HF_UNDO_NOTHING "\"}", NULL},
};

static gboolean write_entry(HfStoreSession *session, gpointer passage, GError **error)
{
    hf_passage_write_change(session, passage);
    return TRUE;
}

static void check_case(HfGuard *guard, gsize i)
{
    HfCaller caller = {.name = "tester"};
    HfRequest request = {.caller = &caller};
    HfPassage passage = {.guard = guard, .request = &request, .desktop = "main"};
    passage.tool = hf_registry_find(cases[i].tool);
    passage.performed = cases[i].performed;
    passage.dry_run = cases[i].dry_run;
    passage.answer = hf_answer_new(cases[i].tool, "r");
    if (cases[i].error >= 0)
        hf_fail(&passage.answer->error, (HfErrorCode)cases[i].error, "test");
    json_t *undo = cases[i].undo ? json_loads(cases[i].undo, 0, NULL) : NULL;
    json_t *seen = json_object();
    if (undo)
        json_object_set_new(seen, "undo", undo);
    passage.errand.ret_witness = hf_result_new(seen);
    g_test_message("case %zu", i);
    g_assert_cmpint(hf_passage_has_change(&passage), ==, cases[i].kept != NULL);
    g_assert_true(hf_store_write(guard->store, write_entry, &passage, NULL));
    g_autoptr(HfLedgerEntry) entry =
        hf_ledger_row_find(guard->store, passage.answer->step_id, NULL);
    g_assert_cmpint(entry != NULL, ==, cases[i].kept != NULL);
    if (entry) {
        g_assert_cmpstr(hf_json_string(entry->undo, "tool", ""), ==, cases[i].kept);
        g_autofree char *text = hf_json_dump(entry->undo);
        g_assert_null(strstr(text, "hunter2"));
    }
    hf_result_free(passage.errand.ret_witness);
    hf_answer_free(passage.answer);
}

static void test_entries(void)
{
    g_autofree char *folder = g_dir_make_tmp("hf-ledger-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "handfast.db", NULL);
    HfGuard guard = {.store = hf_store_open(path, NULL)};
    guard.ledger = hf_ledger_new();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        check_case(&guard, i);
    hf_ledger_free(guard.ledger);
    hf_store_close(guard.store);
    hf_remove_tree(folder);
}

static json_t *new_undo(const char *text)
{
    return json_pack("{s:s, s:{s:s}}", "tool", "clipboard_write", "params", "text", text);
}

static void test_secrets(void)
{
    HfUndoSecrets *secrets = hf_undo_secrets_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) undo = new_undo("hunter2");
    hf_undo_secrets_take_from(secrets, "s1", undo);
    g_assert_null(json_object_get(json_object_get(undo, "params"), "text"));
    g_autoptr(json_t) other = json_deep_copy(undo);
    g_assert_true(hf_undo_secrets_put_back(secrets, "s1", undo, NULL));
    g_assert_cmpstr(hf_json_string(json_object_get(undo, "params"), "text", ""), ==, "hunter2");
    g_assert_false(hf_undo_secrets_put_back(secrets, "s2", other, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_autoptr(json_t) plain =
        json_pack("{s:s, s:{s:i}}", "tool", "window_focus", "params", "window_id", 7);
    hf_undo_secrets_take_from(secrets, "s3", plain);
    g_assert_cmpint(hf_json_int(json_object_get(plain, "params"), "window_id", 0), ==, 7);
    g_assert_true(hf_undo_secrets_put_back(secrets, "s3", plain, NULL));
    hf_undo_secrets_free(secrets);
}

/* The oldest go: by number, and by size. */
static void test_bounds(void)
{
    static const struct {
        guint count;
        gsize bytes;
        guint first_kept;
    } bounds[] = {
        {HF_LIMIT_UNDO_KEEP, 10, 0},
        {HF_LIMIT_UNDO_KEEP + 3, 10, 3},
        {4, HF_LIMIT_UNDO_KEEP_BYTES / 2, 2},
        {2, HF_LIMIT_UNDO_KEEP_BYTES + 1, 2},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++) {
        HfUndoSecrets *secrets = hf_undo_secrets_new();
        g_autofree char *text = g_strnfill(bounds[i].bytes, 'x');
        for (guint k = 0; k < bounds[i].count; k++) {
            g_autofree char *step = g_strdup_printf("s%u", k);
            g_autoptr(json_t) undo = new_undo(text);
            hf_undo_secrets_take_from(secrets, step, undo);
        }
        for (guint k = 0; k < bounds[i].count; k++) {
            g_autofree char *step = g_strdup_printf("s%u", k);
            g_autoptr(json_t) undo =
                json_pack("{s:s, s:{}, s:b}", "tool", "clipboard_write", "params", "kept_apart", 1);
            g_test_message("bound %zu, %u", i, k);
            g_assert_cmpint(hf_undo_secrets_put_back(secrets, step, undo, NULL), ==,
                            k >= bounds[i].first_kept);
        }
        hf_undo_secrets_free(secrets);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ledger-write/entries", test_entries);
    g_test_add_func("/ledger/secrets", test_secrets);
    g_test_add_func("/ledger/bounds", test_bounds);
    return g_test_run();
}
