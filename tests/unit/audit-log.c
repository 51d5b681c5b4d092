/* The audit's rows: chained as the formula says, shared commits, heads, keys, and what is done when
 * the disk takes nothing. */
#include "store/audit-log.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "audit/database.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/remove-tree.h"

/* How often anything was synced: these stand in for the C library's, also in SQLite. */
static int syncs;

int fdatasync(int fd)
{
    g_atomic_int_inc(&syncs);
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    g_atomic_int_inc(&syncs);
    return (int)syscall(SYS_fsync, fd);
}

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfAuditLog *log;
} Place;

static void open_log(Place *place)
{
    g_autoptr(GError) error = NULL;
    place->store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
    place->log = hf_audit_log_open(place->store, place->folder, &error);
    g_assert_no_error(error);
}

static void close_log(Place *place)
{
    g_clear_pointer(&place->log, hf_audit_log_close);
    g_clear_pointer(&place->store, hf_store_close);
}

static void begin(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-audit-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    open_log(place);
}

static void end(Place *place, gconstpointer unused)
{
    close_log(place);
    hf_remove_tree(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

static json_t *body(int number)
{
    return json_pack("{s:s, s:s, s:i, s:i}", "kind", "intent", "tool", "wait", "time",
                     1000 + number, "number", number);
}

/* The report, when the chain is whole. */
static json_t *verified(Place *place)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *heads = g_build_filename(place->folder, "audit-heads.jsonl", NULL);
    g_autofree char *public_path = g_build_filename(place->folder, "audit-key.pub", NULL);
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(public_path, &error);
    g_assert_no_error(error);
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(place->path, &error);
    g_autoptr(HfAuditVerifier) verifier = hf_audit_verifier_new(key);
    g_assert_true(hf_audit_database_verify(database, verifier, heads, &error));
    g_assert_no_error(error);
    return hf_audit_verifier_report(verifier);
}

/* SHA-256 of 32 zero bytes and "abc", by another program. */
static void test_formula(void)
{
    HfAuditHash zero = {0}, hash = hf_audit_hash_next(&zero, "abc", 3), parsed;
    char hex[HF_AUDIT_HEX_SIZE];
    hf_audit_hash_print(&hash, hex);
    g_autofree char *text = g_malloc0(35);
    memcpy(text + 32, "abc", 3);
    g_autofree char *expected =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guint8 *)text, 35);
    g_assert_cmpstr(hex, ==, expected);
    g_assert_true(hf_audit_hash_parse(hex, &parsed) && hf_audit_hash_equal(&hash, &parsed));
    const char *const bad[] = {"", "00", "zz", NULL};
    for (int i = 0; bad[i]; i++)
        g_assert_false(hf_audit_hash_parse(bad[i], &parsed));
    g_assert_false(hf_audit_hash_parse(NULL, &parsed));
}

static void test_heads(void)
{
    g_autoptr(HfAuditKey) key = hf_audit_key_new();
    HfAuditHash hash = {{1, 2, 3}};
    HfAuditHead head = hf_audit_head_sign(key, 7, &hash, 99), read;
    g_autoptr(json_t) json = hf_audit_head_to_json(&head);
    g_assert_true(hf_audit_head_is_signed(&head) && hf_audit_head_parse(json, &read));
    g_assert_cmpmem(&head, sizeof head, &read, sizeof read);
    for (int i = 0; i < 4; i++) {
        HfAuditHead forged = head;
        forged.seq += i == 0;
        forged.time_ms += i == 1;
        forged.hash.bytes[31] ^= i == 2;
        forged.signature[5] ^= i == 3;
        g_assert_false(hf_audit_head_is_signed(&forged));
    }
    const char *const members[] = {"seq", "hash", "key", "signature", "time"};
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        g_autoptr(json_t) less = json_copy(json);
        json_object_del(less, members[i]);
        g_assert_false(hf_audit_head_parse(less, &read));
    }
}

static void test_goes_on_after_a_start(Place *place, gconstpointer unused)
{
    for (int i = 0; i < 3; i++)
        g_assert_true(hf_audit_log_append(place->log, (HfAuditEntry){.take_body = body(i)}, NULL));
    close_log(place);
    open_log(place);
    g_assert_true(hf_audit_log_append(place->log, (HfAuditEntry){.take_body = body(3)}, NULL));
    close_log(place);
    g_autoptr(json_t) report = verified(place);
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 5);
    g_assert_cmpint(hf_json_int(report, "last_signed", 0), ==, 5);
    open_log(place);
}

static void append(Place *place, int number, gboolean soon)
{
    HfAuditEntry entry = {.take_body = body(number), .soon = soon};
    g_assert_true(hf_audit_log_append(place->log, entry, NULL));
}

/* Any row that needs no sync is there for other readers all the same, and in its place. */
static void test_soon(Place *place, gconstpointer unused)
{
    const struct {
        gboolean soon;
        gboolean synced;
    } rows[] = {{TRUE, FALSE}, {FALSE, TRUE}, {TRUE, FALSE}, {TRUE, FALSE}, {FALSE, TRUE}};
    gint64 began = g_get_monotonic_time();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        int before = g_atomic_int_get(&syncs);
        append(place, (int)i, rows[i].soon);
        gboolean synced = g_atomic_int_get(&syncs) > before;
        /* Later than that, the sync may be that of a head. */
        if (g_get_monotonic_time() - began < HF_LIMIT_AUDIT_UNSIGNED_MS * 900)
            g_assert_cmpint(synced, ==, rows[i].synced);
        g_autoptr(json_t) report = verified(place);
        g_assert_cmpint(hf_json_int(report, "last", 0), ==, 2 + (gint64)i);
    }
}

/* A row that was not waited for is on the disk with the head that signs it. */
static void test_soon_is_signed(Place *place, gconstpointer unused)
{
    hf_audit_log_sign_every(place->log, 1000);
    int before = g_atomic_int_get(&syncs);
    append(place, 1, TRUE);
    gint64 until = g_get_monotonic_time() + 30 * G_USEC_PER_SEC;
    gint64 last_signed = 1;
    while (last_signed < 2 && g_get_monotonic_time() < until) {
        g_usleep(20000);
        g_autoptr(json_t) report = verified(place);
        last_signed = hf_json_int(report, "last_signed", 0);
    }
    g_assert_cmpint(last_signed, ==, 2);
    g_assert_cmpint(g_atomic_int_get(&syncs), >, before);
}

static gpointer append_many(gpointer data)
{
    Place *place = data;
    for (int i = 0; i < 50; i++)
        append(place, i, i % 3 == 1);
    return NULL;
}

static void test_many_threads(Place *place, gconstpointer unused)
{
    GThread *threads[16];
    hf_audit_log_sign_every(place->log, 10);
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("append", append_many, place);
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        g_thread_join(threads[i]);
    g_autoptr(json_t) report = verified(place);
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 1 + 16 * 50);
    g_assert_cmpint(hf_json_int(report, "heads", 0), >, 4);
}

static gboolean refuse(HfStoreSession *session, gpointer data, GError **error)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "no room");
}

/* Nothing of a failed commit is left; what happened already is written first afterwards. */
static void test_failed_commit(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    HfAuditEntry refused = {.take_body = body(1), .also = refuse};
    HfAuditEntry happened = {.take_body = body(2), .also = refuse, .keep = TRUE};
    g_assert_false(hf_audit_log_append(place->log, refused, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_false(hf_audit_log_append(place->log, happened, NULL));
    happened.take_body = body(4);
    happened.soon = TRUE;
    g_assert_false(hf_audit_log_append(place->log, happened, NULL));
    int before = g_atomic_int_get(&syncs);
    append(place, 3, TRUE);
    g_assert_cmpint(g_atomic_int_get(&syncs), >, before); /* what is late waits no longer */
    g_autoptr(json_t) report = verified(place);
    /* The beginning, the two late ones, the gap, the last. */
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 5);
}

/* A file of heads that has no lines is somebody's doing: it is told, and kept as it is. */
static void test_a_file_of_heads_that_is_none(Place *place, gconstpointer unused)
{
    g_autofree char *heads = g_build_filename(place->folder, "audit-heads.jsonl", NULL);
    g_autofree char *junk = g_strnfill(5000, 'x');
    g_autofree char *left = NULL;
    g_autoptr(GError) error = NULL;
    close_log(place);
    g_assert_true(g_file_set_contents(heads, junk, -1, NULL));
    place->store = hf_store_open(place->path, NULL);
    g_assert_null(hf_audit_log_open(place->store, place->folder, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_true(g_file_get_contents(heads, &left, NULL, NULL));
    g_assert_cmpstr(left, ==, junk);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/audit/formula", test_formula);
    g_test_add_func("/audit/heads", test_heads);
    const struct {
        const char *name;
        void (*run)(Place *, gconstpointer);
    } tests[] = {
        {"/audit/goes-on", test_goes_on_after_a_start},
        {"/audit/soon", test_soon},
        {"/audit/soon-is-signed", test_soon_is_signed},
        {"/audit/many-threads", test_many_threads},
        {"/audit/failed-commit", test_failed_commit},
        {"/audit/heads-that-are-none", test_a_file_of_heads_that_is_none},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Place, NULL, begin, tests[i].run, end);
    return g_test_run();
}
