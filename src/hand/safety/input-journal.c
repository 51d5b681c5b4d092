/* SPDX-License-Identifier: Apache-2.0 */
/* The journal's file: one fixed structure, mapped and locked. The order of stores keeps the record
 * true whenever the process ends: first an entry's content, then its valid mark; the mark is
 * cleared before the content may change. Never trusts what it reads: another magic, version or size
 * means a damaged file, which is kept beside the new one for inspection. */
#include "hand/safety/input-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"

#define JOURNAL_MAGIC   "HFJOURNL"
#define JOURNAL_VERSION 1u
#define JOURNAL_NAME    "journal"

typedef struct Change {
    guint32 valid; /* 0: free; else the entry is complete */
    HfKeySymbols original;
    HfKeySymbols ours, former; /* the server has one of them whenever the process ends */
} Change;

typedef struct Record {
    char magic[8];
    guint32 version, size;
    char server[HF_INPUT_JOURNAL_SERVER_BYTES];
    guint32 keys[HF_INPUT_JOURNAL_CODES / 32];
    guint32 buttons[HF_INPUT_JOURNAL_CODES / 32];
    Change changes[HF_INPUT_JOURNAL_CODES];
} Record;

struct HfInputJournal {
    int fd; /* -1: in memory only */
    Record *record;
};

static gboolean symbols_are_sound(const HfKeySymbols *symbols)
{
    return symbols->count <= HF_INPUT_JOURNAL_KEYSYMS && symbols->width <= HF_INPUT_JOURNAL_KEYSYMS;
}

static gboolean change_is_sound(const Change *change)
{
    return symbols_are_sound(&change->original) && symbols_are_sound(&change->ours) &&
           symbols_are_sound(&change->former);
}

static gboolean record_is_sound(const Record *record)
{
    if (memcmp(record->magic, JOURNAL_MAGIC, sizeof record->magic) != 0 ||
        record->version != JOURNAL_VERSION || record->size != sizeof *record ||
        !memchr(record->server, '\0', sizeof record->server))
        return FALSE;
    for (guint i = 0; i < HF_INPUT_JOURNAL_CODES; i++)
        if (record->changes[i].valid && !change_is_sound(&record->changes[i]))
            return FALSE;
    return TRUE;
}

static gboolean fail_with_errno(GError **error, const char *what, const char *path)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot %s the journal '%s': %s", what, path,
                   g_strerror(errno));
}

static int open_locked_journal(const char *path, GError **error)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        fail_with_errno(error, "open", path);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (errno == EWOULDBLOCK)
        hf_fail(error, HF_ERROR_CONFLICT, "another process uses the journal '%s'", path);
    else
        fail_with_errno(error, "lock", path);
    close(fd);
    return -1;
}

/* TRUE if the open file is a journal, or empty and thus new. */
static gboolean file_is_sound(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return FALSE;
    if (status.st_size == 0)
        return TRUE;
    g_autofree Record *record = g_new(Record, 1);
    return status.st_size == (off_t)sizeof *record &&
           pread(fd, record, sizeof *record, 0) == (ssize_t)sizeof *record &&
           record_is_sound(record);
}

static int open_journal_file(const char *path, GError **error)
{
    int fd = open_locked_journal(path, error);
    if (fd < 0 || file_is_sound(fd))
        return fd;
    close(fd);
    g_autofree char *aside =
        g_strdup_printf("%s.damaged-%" G_GINT64_FORMAT, path, g_get_real_time());
    if (rename(path, aside) != 0) {
        fail_with_errno(error, "move aside", path);
        return -1;
    }
    g_debug("the journal '%s' was damaged and is now '%s'", path, aside);
    return open_locked_journal(path, error);
}

static void begin_record(Record *record)
{
    record->version = JOURNAL_VERSION;
    record->size = sizeof *record;
    memcpy(record->magic, JOURNAL_MAGIC, sizeof record->magic);
}

/* Allocates the blocks now, so that a full disk fails here and not with SIGBUS later. */
static Record *map_file(int fd, const char *path, GError **error)
{
    int failure = posix_fallocate(fd, 0, sizeof(Record));
    if (failure) {
        errno = failure;
        fail_with_errno(error, "allocate", path);
        return NULL;
    }
    Record *record = mmap(NULL, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (record != MAP_FAILED)
        return record;
    fail_with_errno(error, "map", path);
    return NULL;
}

HfInputJournal *hf_input_journal_open(const char *directory, GError **error)
{
    g_autoptr(HfInputJournal) journal = g_new0(HfInputJournal, 1);
    journal->fd = -1;
    if (!directory) {
        journal->record =
            mmap(NULL, sizeof(Record), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        g_assert(journal->record != MAP_FAILED);
    } else {
        g_autofree char *path = g_build_filename(directory, JOURNAL_NAME, NULL);
        journal->fd = open_journal_file(path, error);
        if (journal->fd < 0)
            return NULL;
        journal->record = map_file(journal->fd, path, error);
        if (!journal->record)
            return NULL;
    }
    begin_record(journal->record);
    return g_steal_pointer(&journal);
}

void hf_input_journal_close(HfInputJournal *journal)
{
    if (!journal)
        return;
    if (journal->record)
        munmap(journal->record, sizeof *journal->record);
    if (journal->fd >= 0)
        close(journal->fd);
    g_free(journal);
}

const char *hf_input_journal_get_server(const HfInputJournal *journal)
{
    return journal->record->server;
}

void hf_input_journal_set_server(HfInputJournal *journal, const char *server)
{
    Record *record = journal->record;
    memset(record->keys, 0, sizeof record->keys);
    memset(record->buttons, 0, sizeof record->buttons);
    for (guint i = 0; i < HF_INPUT_JOURNAL_CODES; i++)
        hf_input_journal_restored_key(journal, (guint8)i);
    g_strlcpy(record->server, server, sizeof record->server);
}

static void set_journal_bit(guint32 *bits, guint8 code)
{
    __atomic_fetch_or(&bits[code / 32], 1u << (code % 32), __ATOMIC_SEQ_CST);
}

static void clear_bit(guint32 *bits, guint8 code)
{
    __atomic_fetch_and(&bits[code / 32], ~(1u << (code % 32)), __ATOMIC_SEQ_CST);
}

static gboolean get_bit(const guint32 *bits, guint8 code)
{
    return __atomic_load_n(&bits[code / 32], __ATOMIC_SEQ_CST) >> (code % 32) & 1;
}

void hf_input_journal_hold_key(HfInputJournal *journal, guint8 keycode)
{
    set_journal_bit(journal->record->keys, keycode);
}

void hf_input_journal_drop_key(HfInputJournal *journal, guint8 keycode)
{
    clear_bit(journal->record->keys, keycode);
}

gboolean hf_input_journal_holds_key(const HfInputJournal *journal, guint8 keycode)
{
    return get_bit(journal->record->keys, keycode);
}

void hf_input_journal_hold_button(HfInputJournal *journal, guint8 button)
{
    set_journal_bit(journal->record->buttons, button);
}

void hf_input_journal_drop_button(HfInputJournal *journal, guint8 button)
{
    clear_bit(journal->record->buttons, button);
}

gboolean hf_input_journal_holds_button(const HfInputJournal *journal, guint8 button)
{
    return get_bit(journal->record->buttons, button);
}

void hf_input_journal_change_key(HfInputJournal *journal, guint8 keycode,
                                 const HfKeySymbols *original, const HfKeySymbols *ours)
{
    Change *change = &journal->record->changes[keycode];
    if (__atomic_load_n(&change->valid, __ATOMIC_SEQ_CST)) {
        change->former = change->ours;
    } else {
        change->original = *original;
        change->former = *ours;
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    change->ours = *ours;
    __atomic_store_n(&change->valid, 1, __ATOMIC_SEQ_CST);
}

void hf_input_journal_restored_key(HfInputJournal *journal, guint8 keycode)
{
    __atomic_store_n(&journal->record->changes[keycode].valid, 0, __ATOMIC_SEQ_CST);
}

gboolean hf_input_journal_has_changes(const HfInputJournal *journal)
{
    for (guint i = 0; i < HF_INPUT_JOURNAL_CODES; i++)
        if (__atomic_load_n(&journal->record->changes[i].valid, __ATOMIC_SEQ_CST))
            return TRUE;
    return FALSE;
}

gboolean hf_input_journal_get_original(const HfInputJournal *journal, guint8 keycode,
                                       HfKeySymbols *ret_original)
{
    const Change *change = &journal->record->changes[keycode];
    if (!__atomic_load_n(&change->valid, __ATOMIC_SEQ_CST))
        return FALSE;
    *ret_original = change->original;
    return TRUE;
}

static gboolean same_keysyms(const HfKeySymbols *a, const HfKeySymbols *b)
{
    return a->count == b->count && a->count <= HF_INPUT_JOURNAL_KEYSYMS &&
           memcmp(a->keysyms, b->keysyms, a->count * sizeof a->keysyms[0]) == 0;
}

gboolean hf_input_journal_is_ours(const HfInputJournal *journal, guint8 keycode,
                                  const HfKeySymbols *symbols)
{
    const Change *change = &journal->record->changes[keycode];
    return __atomic_load_n(&change->valid, __ATOMIC_SEQ_CST) &&
           (same_keysyms(symbols, &change->ours) || same_keysyms(symbols, &change->former));
}
