/* SPDX-License-Identifier: Apache-2.0 */
/* What of a call is on the disk, and when: the intent before anything is done; the result before
 * the answer only where the answer promises something that must last. The hand is this program,
 * which counts the syncs that came before it was asked. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "desk/guard/guard.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

/* These stand in for the C library's, also in SQLite. */
static int syncs;
static gboolean disk_fails;

int fdatasync(int fd)
{
    g_atomic_int_inc(&syncs);
    if (!g_atomic_int_get(&disk_fails))
        return (int)syscall(SYS_fdatasync, fd);
    errno = EIO;
    return -1;
}

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfLiveConfig *agreement;
    HfGuard *guard;
    /* What the hand has seen of the last errand. */
    int asked, syncs_when_asked;
    json_t *last_row;
    json_t *undo; /* what it tells; NULL: nothing */
} Place;

static json_t *read_last_row(Place *place)
{
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(place->path, NULL);
    HfAuditFilter filter = {.limit = 1};
    g_autoptr(json_t) rows = hf_audit_database_rows(database, &filter, NULL);
    return json_incref(json_array_get(rows, 0));
}

static HfResult *perform(gpointer data, const char *desktop, HfErrand *errand, GError **error)
{
    Place *place = data;
    if (errand->meanwhile) /* nothing but a look goes on while it is written down */
        g_assert_cmpint(errand->held, ==, !(errand->tool->flags & HF_TOOL_READ_ONLY));
    if (errand->meanwhile && !g_steal_pointer(&errand->meanwhile)(errand->meanwhile_data, error))
        return NULL;
    place->asked++;
    place->syncs_when_asked = g_atomic_int_get(&syncs);
    json_decref(place->last_row);
    place->last_row = read_last_row(place);
    if (place->undo)
        errand->ret_witness = hf_result_new(json_pack("{s:O}", "undo", place->undo));
    return hf_result_new(json_pack("{s:i, s:i}", "x", 1, "y", 2));
}

static void begin(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) document =
        json_pack("{s:{s:s}, s:{s:s}, s:{s:s}}", "security", "client_level", "L4", "projects",
                  "default_approval_template", "full-auto", "evidence", "policy", "none");
    place->folder = g_dir_make_tmp("hf-guard-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    place->store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
    place->agreement = hf_live_config_new_fixed(hf_config_new(document, NULL, NULL, &error));
    g_assert_no_error(error);
    HfGuardParts parts = {place->folder, place->store, place->agreement, perform, place, NULL};
    place->guard = hf_guard_new(&parts, &error);
    g_assert_no_error(error);
}

static void end(Place *place, gconstpointer unused)
{
    hf_guard_free(place->guard);
    hf_live_config_free(place->agreement);
    hf_store_close(place->store);
    json_decref(place->last_row);
    json_decref(place->undo);
    hf_remove_tree(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

static HfAnswer *call(Place *place, const char *tool, json_t *take_params)
{
    g_autoptr(json_t) params = take_params;
    HfCaller caller = {.kind = HF_CALLER_CLIENT,
                       .name = "test",
                       .door = "bridge",
                       .pid = getpid(),
                       .uid = getuid(),
                       .run_id = "r1"};
    HfRequest request = {.caller = &caller, .tool = tool, .params = params};
    return hf_guard_call(place->guard, &request);
}

static json_t *a_place(void)
{
    return json_pack("{s:i, s:i, s:b}", "x", 1, "y", 2, "smooth", FALSE);
}

/* Before the hand is asked the intent is the last row, and was synced; the result is a row when the
 * answer comes. What that waits for is in the table. */
static void test_when_the_disk_is_waited_for(Place *place, gconstpointer unused)
{
    const struct {
        const char *tool, *key, *undo;
        gboolean waits;
    } rows[] = {
        {"mouse_move", NULL, NULL, FALSE},
        {"mouse_move", NULL, "{\"none\": \"nobody can\"}", FALSE},
        {"mouse_move", NULL, "{\"tool\": \"mouse_move\", \"params\": {}}", TRUE},
        {"mouse_move", "once", NULL, TRUE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        json_t *params = a_place();
        if (rows[i].key)
            json_object_set_new(params, "idempotency_key", json_string(rows[i].key));
        json_decref(place->undo);
        place->undo = rows[i].undo ? json_loads(rows[i].undo, 0, NULL) : NULL;
        gint64 began = g_get_monotonic_time();
        int before = g_atomic_int_get(&syncs);
        g_autoptr(HfAnswer) answer = call(place, rows[i].tool, params);
        int after = g_atomic_int_get(&syncs);
        gint64 took = g_get_monotonic_time() - began;
        g_assert_no_error(answer->error);
        g_assert_cmpstr(hf_json_string(place->last_row, "kind", ""), ==, "intent");
        g_assert_cmpstr(hf_json_string(place->last_row, "step", ""), ==, answer->step_id);
        g_assert_cmpint(place->syncs_when_asked, >, before);
        g_autoptr(json_t) last = read_last_row(place);
        g_assert_cmpstr(hf_json_string(last, "kind", ""), ==, "result");
        g_assert_cmpstr(hf_json_string(last, "step", ""), ==, answer->step_id);
        /* Later than that it may be the sync that nobody waits for. */
        if (rows[i].waits || took < HF_LIMIT_AUDIT_UNSYNCED_MS * 1000)
            g_assert_cmpint(after > place->syncs_when_asked, ==, rows[i].waits);
    }
}

/* What may be lost with the power in the next moment is not lost for long: no head is due by then.
 */
static void test_a_result_gets_to_the_disk_by_itself(Place *place, gconstpointer unused)
{
    gint64 best = G_MAXINT64;
    for (int round = 0; round < 5; round++) {
        g_autoptr(HfAnswer) answer = call(place, "mouse_move", a_place());
        g_assert_no_error(answer->error);
        gint64 began = g_get_monotonic_time(), until = began + 30 * G_USEC_PER_SEC;
        while (g_atomic_int_get(&syncs) == place->syncs_when_asked &&
               g_get_monotonic_time() < until)
            g_usleep(1000);
        g_assert_cmpint(g_atomic_int_get(&syncs), >, place->syncs_when_asked);
        best = MIN(best, g_get_monotonic_time() - began);
    }
    g_assert_cmpint(best / 1000, <, HF_LIMIT_AUDIT_UNSIGNED_MS / 2);
}

static void test_nothing_is_done_when_the_disk_fails(Place *place, gconstpointer unused)
{
    g_atomic_int_set(&disk_fails, TRUE);
    g_autoptr(HfAnswer) refused = call(place, "mouse_move", a_place());
    g_assert_error(refused->error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_cmpint(place->asked, ==, 0);
    g_atomic_int_set(&disk_fails, FALSE);
    g_autoptr(HfAnswer) done = call(place, "mouse_move", a_place());
    g_assert_no_error(done->error);
    g_assert_cmpint(place->asked, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    const struct {
        const char *name;
        void (*run)(Place *, gconstpointer);
    } tests[] = {
        {"/guard-audit/waits", test_when_the_disk_is_waited_for},
        {"/guard-audit/by-itself", test_a_result_gets_to_the_disk_by_itself},
        {"/guard-audit/disk-fails", test_nothing_is_done_when_the_disk_fails},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Place, NULL, begin, tests[i].run, end);
    return g_test_run();
}
