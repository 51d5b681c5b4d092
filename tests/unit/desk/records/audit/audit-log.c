/* SPDX-License-Identifier: Apache-2.0 */
/* The audit's rows: chained as the formula says, shared commits, heads, keys, and what is done when
 * the disk takes nothing. */
#include "desk/records/audit/audit-log.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "desk/records/audit/audit-database.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

/* How often anything was synced, and of that the database's log: these stand in for the C
 * library's, also in SQLite. */
static int syncs, log_syncs;
static gboolean disk_fails;

static gboolean is_log(int fd)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *target = g_file_read_link(path, NULL);
    return target && g_str_has_suffix(target, "-wal");
}

int fdatasync(int fd)
{
    g_atomic_int_inc(&syncs);
    if (is_log(fd))
        g_atomic_int_inc(&log_syncs);
    if (!g_atomic_int_get(&disk_fails))
        return (int)syscall(SYS_fdatasync, fd);
    errno = EIO;
    return -1;
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
    gint64 unsynced = G_MAXINT64;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        int before = g_atomic_int_get(&syncs);
        unsynced = MIN(unsynced, g_get_monotonic_time());
        append(place, (int)i, rows[i].soon);
        gboolean synced = g_atomic_int_get(&syncs) > before;
        /* Later than that, the sync may be one that nobody waits for. */
        if (rows[i].synced || g_get_monotonic_time() - unsynced < HF_LIMIT_AUDIT_UNSYNCED_MS * 1000)
            g_assert_cmpint(synced, ==, rows[i].synced);
        g_autoptr(json_t) report = verified(place);
        g_assert_cmpint(hf_json_int(report, "last", 0), ==, 2 + (gint64)i);
        if (rows[i].synced)
            unsynced = G_MAXINT64;
    }
}

static void await_sync_after(int before)
{
    gint64 until = g_get_monotonic_time() + 30 * G_USEC_PER_SEC;
    while (g_atomic_int_get(&log_syncs) == before && g_get_monotonic_time() < until)
        g_usleep(1000);
    g_assert_cmpint(g_atomic_int_get(&log_syncs), >, before);
}

/* Rows that nobody waits for get to the disk by themselves, once for all that there are, and long
 * before a head would take them along. A machine that is busy may be late now and then. */
static void test_soon_is_synced(Place *place, gconstpointer unused)
{
    gint64 best_ms = G_MAXINT64;
    for (int round = 0; round < 5; round++) {
        append(place, round, FALSE);
        gint64 began = g_get_monotonic_time();
        int before = g_atomic_int_get(&log_syncs);
        for (int i = 0; i < 5; i++)
            append(place, i, TRUE);
        await_sync_after(before);
        gint64 took_ms = (g_get_monotonic_time() - began) / 1000;
        if (took_ms < HF_LIMIT_AUDIT_UNSYNCED_MS * 2)
            g_assert_cmpint(g_atomic_int_get(&log_syncs), ==, before + 1);
        best_ms = MIN(best_ms, took_ms);
    }
    g_assert_cmpint(best_ms, <, HF_LIMIT_AUDIT_UNSIGNED_MS / 2);
}

/* A disk that fails is asked again until it takes them. */
static void test_soon_is_synced_at_last(Place *place, gconstpointer unused)
{
    g_atomic_int_set(&disk_fails, TRUE);
    append(place, 1, TRUE);
    await_sync_after(g_atomic_int_get(&log_syncs));
    g_atomic_int_set(&disk_fails, FALSE);
    await_sync_after(g_atomic_int_get(&log_syncs));
    json_decref(verified(place));
}

/* The log itself leaves nothing to be synced when it is closed. */
static void test_soon_is_synced_at_the_end(Place *place, gconstpointer unused)
{
    append(place, 1, FALSE);
    append(place, 2, TRUE);
    int before = g_atomic_int_get(&syncs);
    g_clear_pointer(&place->log, hf_audit_log_close);
    g_assert_cmpint(g_atomic_int_get(&syncs), >, before);
    g_autoptr(json_t) report = verified(place);
    g_assert_cmpint(hf_json_int(report, "last_signed", 0), ==, 3);
}

/* Whoever waits for a disk that fails is told so. The row is in the chain all the same, once, and
 * the next one follows it. */
static void test_failed_sync(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_atomic_int_set(&disk_fails, TRUE);
    HfAuditEntry entry = {.take_body = body(1), .keep = TRUE};
    g_assert_false(hf_audit_log_append(place->log, entry, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    append(place, 2, TRUE);
    g_atomic_int_set(&disk_fails, FALSE);
    append(place, 3, FALSE);
    g_autoptr(json_t) report = verified(place);
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 4);
}

/* A row that was not waited for is signed as any other. */
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

/* Row 1 is of today, and the numbers of the others are a long time ago, one in two milliseconds. */
static void test_first_since(Place *place, gconstpointer unused)
{
    const gint64 counts[] = {1, 62, 63, 64, 65, 127, 128, 130};
    gint64 rows = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        for (; rows < counts[i]; rows++)
            append(place, (int)rows / 2, TRUE);
        g_autoptr(HfAuditDatabase) database = hf_audit_database_open(place->path, NULL);
        for (gint64 since = 1001; since <= 1000 + (rows - 1) / 2; since++) {
            gint64 first = hf_audit_database_first_since(database, since);
            /* The first of all is late enough for everything, where it is among those looked at. */
            g_assert_true(first == 2 + (since - 1000) * 2 || (first == 1 && since < 1032));
        }
    }
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

static gboolean allow(HfStoreSession *session, gpointer data, GError **error)
{
    return TRUE;
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

typedef struct Appending {
    HfAuditLog *log;
    HfAuditEntry entry;
    gint thread;
    GError *error;
} Appending;

static gpointer append_it(gpointer data)
{
    Appending *appending = data;
    g_atomic_int_set(&appending->thread, (gint)gettid());
    hf_audit_log_append(appending->log, appending->entry, &appending->error);
    return NULL;
}

/* Whether a thread waits for something. */
static gboolean sleeps(gint thread)
{
    g_autofree char *path = g_strdup_printf("/proc/self/task/%d/stat", thread);
    g_autofree char *text = NULL;
    const char *end =
        thread && g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    return end && end[2] == 'S';
}

/* The first one keeps the disk busy, so that the others share a commit; one of them fails alone. */
static void test_one_that_fails_beside_others(Place *place, gconstpointer unused)
{
    Appending all[] = {{.entry = {.take_body = body(1)}},
                       {.entry = {.take_body = body(2), .also = allow}},
                       {.entry = {.take_body = body(3), .also = refuse}},
                       {.entry = {.take_body = body(4), .also = refuse, .keep = TRUE}},
                       {.entry = {.take_body = body(5), .also = allow}}};
    GThread *threads[G_N_ELEMENTS(all)];
    sqlite3 *other = NULL;
    g_assert_cmpint(sqlite3_open(place->path, &other), ==, SQLITE_OK);
    g_assert_cmpint(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
        all[i].log = place->log;
        threads[i] = g_thread_new("append", append_it, &all[i]);
        while (!sleeps(g_atomic_int_get(&all[i].thread)))
            g_thread_yield();
    }
    sqlite3_close(other);
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
        g_thread_join(threads[i]);
        g_test_message("%zu", i + 1);
        if (all[i].entry.also == refuse)
            g_assert_error(all[i].error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
        else
            g_assert_no_error(all[i].error);
        g_clear_error(&all[i].error);
    }
    g_assert_true(hf_audit_log_append(place->log, (HfAuditEntry){.take_body = body(6)}, NULL));
    g_autoptr(json_t) report = verified(place);
    /* The beginning, 1, 2, 5; then the late 4, the gap for 3, and 6. */
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 7);
}

static char *name_of_key(Place *place)
{
    g_autofree char *path = g_build_filename(place->folder, "audit-key.pub", NULL);
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(path, NULL);
    return g_strdup(hf_audit_key_get_name(key));
}

/* The error of a verification that trusts only this key, or NULL. */
static GError *verify_with(Place *place, const char *name)
{
    GError *error = NULL;
    g_autofree char *heads = g_build_filename(place->folder, "audit-heads.jsonl", NULL);
    g_autoptr(HfAuditKey) key = hf_audit_key_load_public(name, NULL);
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(place->path, NULL);
    g_autoptr(HfAuditVerifier) verifier = hf_audit_verifier_new(key);
    hf_audit_database_verify(database, verifier, heads, &error);
    return error;
}

/* Each key of the chain proves all of it, also after a start, and no other key does. */
static void test_another_key(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *first = name_of_key(place);
    for (int i = 0; i < 3; i++) {
        append(place, i, FALSE);
        g_assert_true(hf_audit_log_rotate_key(place->log, json_object(), &error));
        g_assert_no_error(error);
        close_log(place);
        open_log(place);
    }
    append(place, 9, FALSE);
    close_log(place);
    g_autofree char *last = name_of_key(place);
    g_assert_cmpstr(first, !=, last);
    g_autoptr(json_t) report = verified(place);
    g_assert_cmpint(hf_json_int(report, "keys", 0), ==, 4);
    g_assert_cmpint(hf_json_int(report, "last", 0), ==, 1 + 3 * 2 + 1);
    g_assert_cmpint(hf_json_int(report, "last_signed", 0), ==, 1 + 3 * 2 + 1);
    g_assert_no_error(verify_with(place, first));
    g_autoptr(HfAuditKey) stranger = hf_audit_key_new();
    g_autoptr(GError) refused = verify_with(place, hf_audit_key_get_name(stranger));
    g_assert_error(refused, HF_ERROR, HF_ERROR_AUDIT_BROKEN);
    g_autofree char *kept = g_strdup_printf("%s/audit-key-%.16s.pub", place->folder, first);
    g_assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
}

typedef struct Files {
    const char *name;
    char *text;
    gsize size;
} Files;

static void load_files(Place *place, Files *files)
{
    for (; files->name; files++) {
        g_autofree char *path = g_build_filename(place->folder, files->name, NULL);
        g_assert_true(g_file_get_contents(path, &files->text, &files->size, NULL));
    }
}

static void write_file(Place *place, const char *name, const Files *file)
{
    g_autofree char *path = g_build_filename(place->folder, name, NULL);
    g_assert_true(g_file_set_contents_full(path, file->text, (gssize)file->size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* A crash at each point after the row is in the chain: what is left is done at the next start. */
static void test_a_change_of_key_that_was_cut_short(Place *place, gconstpointer unused)
{
    for (int point = 0; point < 4; point++) {
        Files before[] = {{"audit-key"}, {"audit-key.pub"}, {"audit-heads.jsonl"}, {NULL}};
        Files after[] = {{"audit-key"}, {"audit-key.pub"}, {"audit-heads.jsonl"}, {NULL}};
        close_log(place); /* signs all that there is */
        load_files(place, before);
        open_log(place);
        g_assert_true(hf_audit_log_rotate_key(place->log, json_object(), NULL));
        close_log(place);
        load_files(place, after);
        write_file(place, "audit-key", &before[0]);
        write_file(place, "audit-key.next", &after[0]);
        if (point < 3) {
            write_file(place, "audit-key.pub", &before[1]);
            write_file(place, "audit-key.next.pub", &after[1]);
        }
        if (point == 0)
            write_file(place, "audit-heads.jsonl", &before[2]);
        if (point == 1) { /* one of the two heads is in the file */
            char *end = strchr(after[2].text + before[2].size, '\n');
            after[2].size = (gsize)(end + 1 - after[2].text);
            write_file(place, "audit-heads.jsonl", &after[2]);
        }
        open_log(place);
        append(place, point, FALSE);
        close_log(place);
        json_decref(verified(place));
        open_log(place);
        for (int i = 0; i < 3; i++) {
            g_free(before[i].text);
            g_free(after[i].text);
        }
    }
}

/* It was begun, and never came to be: the old key goes on, and a later change is one. */
static void test_a_change_of_key_that_was_never_made(Place *place, gconstpointer unused)
{
    g_autofree char *next = g_build_filename(place->folder, "audit-key.next", NULL);
    g_autofree char *before = name_of_key(place);
    g_autoptr(HfAuditKey) key = hf_audit_key_new();
    close_log(place);
    g_assert_true(hf_audit_key_save(key, next, NULL));
    open_log(place);
    g_autofree char *after = name_of_key(place);
    g_assert_cmpstr(before, ==, after);
    g_assert_true(hf_audit_log_rotate_key(place->log, json_object(), NULL));
    json_decref(verified(place));
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
        {"/audit/soon-is-synced", test_soon_is_synced},
        {"/audit/soon-is-synced-at-last", test_soon_is_synced_at_last},
        {"/audit/soon-is-synced-at-the-end", test_soon_is_synced_at_the_end},
        {"/audit/failed-sync", test_failed_sync},
        {"/audit/first-since", test_first_since},
        {"/audit/soon-is-signed", test_soon_is_signed},
        {"/audit/many-threads", test_many_threads},
        {"/audit/failed-commit", test_failed_commit},
        {"/audit/one-fails-beside-others", test_one_that_fails_beside_others},
        {"/audit/another-key", test_another_key},
        {"/audit/another-key-cut-short", test_a_change_of_key_that_was_cut_short},
        {"/audit/another-key-never-made", test_a_change_of_key_that_was_never_made},
        {"/audit/heads-that-are-none", test_a_file_of_heads_that_is_none},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Place, NULL, begin, tests[i].run, end);
    return g_test_run();
}
