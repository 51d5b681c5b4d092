/* SPDX-License-Identifier: Apache-2.0 */
/* The file is the witness against a changed database, so every head goes into both. */
#include "desk/records/audit/audit-head-store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/error.h"

/* Longer than any line of the file. */
#define TAIL_BYTES 2048

struct HfAuditHeadStore {
    int fd;
    char *directory, *key_path;
    HfAuditHead last; /* seq 0: none */
};

gboolean hf_audit_head_store_insert(HfStoreSession *session, const HfAuditHead *head,
                                    GError **error)
{
    g_autoptr(json_t) json = hf_audit_head_to_json(head);
    g_autofree char *text = hf_audit_body_text(json);
    return hf_store_run(session, error, "INSERT INTO audit_heads (seq, head) VALUES (?, ?)", "it",
                        head->seq, text);
}

static gboolean insert_head(HfStoreSession *session, gpointer data, GError **error)
{
    return hf_audit_head_store_insert(session, data, error);
}

/* Removes a line that was written only in part (a full disk). */
static gboolean append_line(int fd, const char *text, GError **error)
{
    off_t before = lseek(fd, 0, SEEK_END);
    gsize length = strlen(text);
    if (write(fd, text, length) == (ssize_t)length && fdatasync(fd) == 0)
        return TRUE;
    int reason = errno;
    if (ftruncate(fd, before) != 0)
        reason = errno;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write the signed heads of the audit: %s",
                   g_strerror(reason));
}

gboolean hf_audit_head_store_append(HfAuditHeadStore *heads, const HfAuditHead *head,
                                    GError **error)
{
    g_autoptr(json_t) json = hf_audit_head_to_json(head);
    g_autofree char *text = hf_audit_body_text(json);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    if (!append_line(heads->fd, line, error))
        return FALSE;
    heads->last = *head;
    return TRUE;
}

gboolean hf_audit_head_store_add(HfAuditHeadStore *heads, HfStore *store, const HfAuditHead *head,
                                 GError **error)
{
    return hf_store_write(store, insert_head, (gpointer)head, error) &&
           hf_audit_head_store_append(heads, head, error);
}

/* Reads the last whole line; a crash may have left a partial one, which is cut off. */
static gboolean read_last_line(HfAuditHeadStore *heads, const char *path, GError **error)
{
    char tail[TAIL_BYTES + 1];
    off_t size = lseek(heads->fd, 0, SEEK_END), start = MAX(0, size - TAIL_BYTES);
    ssize_t got = pread(heads->fd, tail, TAIL_BYTES, start);
    if (got <= 0)
        return got == 0 || hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read '%s': %s", path,
                                   g_strerror(errno));
    tail[got] = '\0';
    char *end = strrchr(tail, '\n');
    if (!end && start > 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "'%s' has no lines, so it was changed",
                       path);
    off_t whole = end ? end + 1 - tail : 0; /* 0: only a part of the first line */
    if (whole != got && ftruncate(heads->fd, start + whole) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot repair '%s': %s", path,
                       g_strerror(errno));
    if (!end)
        return TRUE;
    *end = '\0';
    char *line = strrchr(tail, '\n');
    g_autoptr(json_t) json = json_loads(line ? line + 1 : tail, 0, NULL);
    return hf_audit_head_parse(json, &heads->last) ||
           hf_fail(error, HF_ERROR_STORAGE_FAILED, "the last line of '%s' is not a signed head",
                   path);
}

typedef struct Question {
    gint64 seq;
    HfAuditHash hash;
    gboolean found;
} Question;

static gboolean read_row_hash(HfStoreSession *session, gpointer data, GError **error)
{
    Question *question = data;
    sqlite3_stmt *row =
        hf_store_query(session, error, "SELECT hash FROM audit WHERE seq = ?", "i", question->seq);
    question->found = row && hf_store_next(session, row, NULL) &&
                      hf_audit_hash_parse(hf_store_text(row, 0), &question->hash);
    return row != NULL;
}

static gboolean check_end(HfAuditHeadStore *heads, HfStore *store, gint64 rows, GError **error)
{
    Question question = {.seq = heads->last.seq};
    if (heads->last.seq == 0)
        return TRUE;
    if (!hf_store_read(store, read_row_hash, &question, error))
        return FALSE;
    if (question.found && hf_audit_hash_equal(&question.hash, &heads->last.hash))
        return TRUE;
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "the audit was cut or changed: row %" G_GINT64_FORMAT
            " was signed, but the database has %" G_GINT64_FORMAT " rows%s",
            heads->last.seq, rows, question.found ? " and another row in its place" : "");
    hf_error_suggest(error, "find out what happened: handfast audit verify; then restore the whole "
                            "data directory from a backup, or move all of it away");
    return FALSE;
}

/* ---- changing the key ---- */

static char *next_path(const HfAuditHeadStore *heads, const char *ending)
{
    return g_strconcat(heads->key_path, ".next", ending, NULL);
}

HfAuditKey *hf_audit_head_store_begin_key(HfAuditHeadStore *heads, GError **error)
{
    g_autofree char *path = next_path(heads, "");
    g_autoptr(HfAuditKey) key = hf_audit_key_new();
    unlink(path);
    return hf_audit_key_save(key, path, error) ? g_steal_pointer(&key) : NULL;
}

/* Keeps the old public key, for exports that it signed. */
static void keep_public(const HfAuditHeadStore *heads, const char *public_path)
{
    g_autoptr(HfAuditKey) old = hf_audit_key_load_public(public_path, NULL);
    g_autofree char *kept =
        old ? g_strdup_printf("%s-%.16s.pub", heads->key_path, hf_audit_key_get_name(old)) : NULL;
    if (kept)
        (void)!link(public_path, kept);
}

gboolean hf_audit_head_store_finish_key(HfAuditHeadStore *heads, GError **error)
{
    g_autofree char *next = next_path(heads, ""), *next_public = next_path(heads, ".pub");
    g_autofree char *public_path = g_strconcat(heads->key_path, ".pub", NULL);
    if (access(next_public, F_OK) == 0)
        keep_public(heads, public_path);
    gboolean done = (rename(next_public, public_path) == 0 || errno == ENOENT) &&
                    rename(next, heads->key_path) == 0;
    int directory = done ? open(heads->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    done = directory >= 0 && fsync(directory) == 0;
    int reason = errno;
    if (directory >= 0)
        close(directory);
    return done || hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot put the new key in place: %s",
                           g_strerror(reason));
}

/* The heads of the row that introduces a key. */
typedef struct Arrival {
    const char *key;
    GArray *heads; /* HfAuditHead */
} Arrival;

static gboolean find_arrival(HfStoreSession *session, gpointer data, GError **error)
{
    Arrival *arrival = data;
    sqlite3_stmt *row = hf_store_query(
        session, error,
        "SELECT head FROM audit_heads WHERE seq = (SELECT seq FROM audit WHERE kind = 'event' AND "
        "event = ? AND json_extract(body, '$.data.key') = ? ORDER BY seq DESC LIMIT 1) ORDER BY id",
        "tt", HF_AUDIT_EVENT_KEY, arrival->key);
    while (row && hf_store_next(session, row, NULL)) {
        HfAuditHead head;
        g_autoptr(json_t) json = hf_store_json(row, 0);
        if (hf_audit_head_parse(json, &head))
            g_array_append_val(arrival->heads, head);
    }
    return row != NULL;
}

/* Finishes a change of key that a crash interrupted, if the chain has its row. */
static gboolean mend_key(HfAuditHeadStore *heads, HfStore *store, GError **error)
{
    g_autofree char *next = next_path(heads, "");
    g_autoptr(HfAuditKey) key = access(next, F_OK) == 0 ? hf_audit_key_load(next, NULL) : NULL;
    if (!key)
        return TRUE;
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(HfAuditHead));
    Arrival arrival = {hf_audit_key_get_name(key), found};
    if (!hf_store_read(store, find_arrival, &arrival, error))
        return FALSE;
    if (found->len == 0)
        return TRUE; /* it did not happen; the next change starts over */
    for (guint i = 0; i < found->len; i++) {
        const HfAuditHead *head = &g_array_index(found, HfAuditHead, i);
        gboolean there =
            heads->last.seq > head->seq ||
            (heads->last.seq == head->seq && (g_str_equal(heads->last.key, head->key) ||
                                              g_str_equal(heads->last.key, arrival.key)));
        if (!there && !hf_audit_head_store_append(heads, head, error))
            return FALSE;
    }
    return hf_audit_head_store_finish_key(heads, error);
}

HfAuditHeadStore *hf_audit_head_store_open(HfStore *store, const char *directory, gint64 last,
                                           GError **error)
{
    g_autofree char *path = g_build_filename(directory, HF_AUDIT_HEADS_FILE, NULL);
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", path, g_strerror(errno));
        return NULL;
    }
    HfAuditHeadStore *heads = g_new0(HfAuditHeadStore, 1);
    heads->fd = fd;
    heads->directory = g_strdup(directory);
    heads->key_path = g_build_filename(directory, HF_AUDIT_KEY_FILE, NULL);
    if (read_last_line(heads, path, error) && check_end(heads, store, last, error) &&
        mend_key(heads, store, error))
        return heads;
    hf_audit_head_store_close(heads);
    return NULL;
}

void hf_audit_head_store_close(HfAuditHeadStore *heads)
{
    if (!heads)
        return;
    close(heads->fd);
    g_free(heads->directory);
    g_free(heads->key_path);
    g_free(heads);
}

gint64 hf_audit_head_store_get_last(const HfAuditHeadStore *heads)
{
    return heads->last.seq;
}

HfAuditKey *hf_audit_head_store_ensure_key(HfAuditHeadStore *heads, gint64 last, GError **error)
{
    const char *path = heads->key_path;
    gboolean exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (!exists && last == 0 && heads->last.seq == 0) {
        g_autoptr(HfAuditKey) created = hf_audit_key_new();
        return hf_audit_key_save(created, path, error) ? g_steal_pointer(&created) : NULL;
    }
    if (!exists) {
        hf_fail(
            error, HF_ERROR_STORAGE_FAILED,
            "the audit has %" G_GINT64_FORMAT
            " rows, but its signing key '%s' is missing; a new key would not prove the old rows",
            last, path);
        hf_error_suggest(error, "restore the key from a backup, or move the whole data directory "
                                "away to begin a new audit");
        return NULL;
    }
    g_autoptr(HfAuditKey) key = hf_audit_key_load(path, error);
    if (!key || heads->last.seq == 0 || g_str_equal(hf_audit_key_get_name(key), heads->last.key))
        return g_steal_pointer(&key);
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "'%s' is not the key that signed the last head of the audit (%.16s…)", path,
            heads->last.key);
    hf_error_suggest(error, "restore the right key from a backup");
    return NULL;
}
