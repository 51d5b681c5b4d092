/* Heads. The file is the witness against the database, so it is written even when it repeats. */
#include "store/audit-heads.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"

/* More than the longest line of the file. */
#define TAIL_BYTES 2048

struct HfAuditHeads {
    int fd;
    char *key_path;
    HfAuditHead last; /* seq 0: none */
};

static gboolean insert_head(HfStoreSession *session, gpointer data, GError **error)
{
    const HfAuditHead *head = data;
    g_autoptr(json_t) json = hf_audit_head_to_json(head);
    g_autofree char *text = hf_audit_body_text(json);
    return hf_store_run(session, error, "INSERT INTO audit_heads (seq, head) VALUES (?, ?)", "it",
                        head->seq, text);
}

/* A line that went in only partly (a full disk) is taken out again. */
static gboolean append_line(int fd, const char *text, GError **error)
{
    off_t before = lseek(fd, 0, SEEK_END);
    gsize length = strlen(text);
    if (write(fd, text, length) == (ssize_t)length && fdatasync(fd) == 0)
        return TRUE;
    int reason = errno;
    if (ftruncate(fd, before) != 0)
        reason = errno;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the audit's heads cannot be written: %s",
                   g_strerror(reason));
}

gboolean hf_audit_heads_add(HfAuditHeads *heads, HfStore *store, const HfAuditHead *head,
                            GError **error)
{
    g_autoptr(json_t) json = hf_audit_head_to_json(head);
    g_autofree char *text = hf_audit_body_text(json);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    if (!hf_store_write(store, insert_head, (gpointer)head, error) ||
        !append_line(heads->fd, line, error))
        return FALSE;
    heads->last = *head;
    return TRUE;
}

/* The last whole line; a crash may have left a part of another one, which is cut off. */
static gboolean read_last_line(HfAuditHeads *heads, const char *path, GError **error)
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
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "'%s' has no lines: it was changed", path);
    off_t whole = end ? end + 1 - tail : 0; /* 0: a part of the very first line is all there is */
    if (whole != got && ftruncate(heads->fd, start + whole) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot mend '%s': %s", path,
                       g_strerror(errno));
    if (!end)
        return TRUE;
    *end = '\0';
    char *line = strrchr(tail, '\n');
    g_autoptr(json_t) json = json_loads(line ? line + 1 : tail, 0, NULL);
    return hf_audit_head_parse(json, &heads->last) ||
           hf_fail(error, HF_ERROR_STORAGE_FAILED, "the last line of '%s' is no signed head", path);
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

static gboolean check_end(HfAuditHeads *heads, HfStore *store, gint64 rows, GError **error)
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
    hf_error_suggest(error, "see what happened: handfast audit verify; then put the whole data "
                            "directory back from a copy, or move all of it away");
    return FALSE;
}

HfAuditHeads *hf_audit_heads_open(HfStore *store, const char *directory, gint64 last,
                                  GError **error)
{
    g_autofree char *path = g_build_filename(directory, HF_AUDIT_HEADS_FILE, NULL);
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", path, g_strerror(errno));
        return NULL;
    }
    HfAuditHeads *heads = g_new0(HfAuditHeads, 1);
    heads->fd = fd;
    heads->key_path = g_build_filename(directory, HF_AUDIT_KEY_FILE, NULL);
    if (read_last_line(heads, path, error) && check_end(heads, store, last, error))
        return heads;
    hf_audit_heads_close(heads);
    return NULL;
}

void hf_audit_heads_close(HfAuditHeads *heads)
{
    if (!heads)
        return;
    close(heads->fd);
    g_free(heads->key_path);
    g_free(heads);
}

gint64 hf_audit_heads_get_last(const HfAuditHeads *heads)
{
    return heads->last.seq;
}

static HfAuditKey *make_key(const char *path, GError **error)
{
    g_autoptr(HfAuditKey) key = hf_audit_key_new();
    return hf_audit_key_save(key, path, error) ? g_steal_pointer(&key) : NULL;
}

HfAuditKey *hf_audit_heads_ensure_key(HfAuditHeads *heads, gint64 last, GError **error)
{
    const char *path = heads->key_path;
    gboolean exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (!exists && last == 0 && heads->last.seq == 0)
        return make_key(path, error);
    if (!exists) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED,
                "the audit has %" G_GINT64_FORMAT " rows, but the key that signs it, '%s', is "
                "missing; a new one is never made in its place",
                last, path);
        hf_error_suggest(error, "put the key back from a copy, or move the whole data directory "
                                "away to begin a new chain");
        return NULL;
    }
    g_autoptr(HfAuditKey) key = hf_audit_key_load(path, error);
    if (!key || heads->last.seq == 0 || g_str_equal(hf_audit_key_get_name(key), heads->last.key))
        return g_steal_pointer(&key);
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "'%s' is not the key that signed the audit's last head (%.16s…)", path,
            heads->last.key);
    hf_error_suggest(error, "put the right key back from a copy");
    return NULL;
}
