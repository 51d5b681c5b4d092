/* SPDX-License-Identifier: Apache-2.0 */
/* Each slot is one word: the id of its call, and whether the call is held. The word is all that
 * the two processes share: a hand that finds another call there does nothing. Only a hand that has
 * to wait, and a desk that wakes it, make a system call. */
#include "shared/wire/hold-table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/wire/channel.h"
#include "shared/wire/wire-limits.h"

/* How often a waiting hand checks for a cancellation: rarely, because waits are short. */
#define LOOK_UP_MS 10

enum { HELD, AWAITED, LET_GO, STATES = 4 };

typedef struct Page {
    _Atomic guint32 words[HF_LIMIT_HELD_CALLS];
} Page;

struct HfHoldTable {
    int fd;
    Page *page;
    GMutex lock; /* guards what follows, in the desk only */
    gboolean taken[HF_LIMIT_HELD_CALLS];
};

static guint32 pack_hold_word(gint64 id, guint32 state)
{
    return (guint32)id * STATES + state;
}

static HfHoldTable *map_page(int take_fd, GError **error)
{
    Page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, take_fd, 0);
    if (page == MAP_FAILED) {
        hf_fail(error, HF_ERROR_INTERNAL, "cannot share memory: %s", g_strerror(errno));
        close(take_fd);
        return NULL;
    }
    HfHoldTable *releases = g_new0(HfHoldTable, 1);
    releases->fd = take_fd;
    releases->page = page;
    g_mutex_init(&releases->lock);
    return releases;
}

HfHoldTable *hf_hold_table_new(GError **error)
{
    int fd = memfd_create("handfast-releases", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && ftruncate(fd, sizeof(Page)) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return map_page(fd, error);
    hf_fail(error, HF_ERROR_INTERNAL, "cannot map shared memory: %s", g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return NULL;
}

gboolean hf_hold_table_send(HfHoldTable *releases, int socket, GError **error)
{
    g_autoptr(json_t) message = json_pack("{s:s}", "type", "releases");
    return hf_channel_send(socket, message, releases->fd, error);
}

HfHoldTable *hf_hold_table_receive(int socket, GError **error)
{
    int fd = -1;
    struct stat status;
    g_autoptr(json_t) message = hf_channel_receive(socket, &fd, error);
    if (!message)
        return NULL;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(Page))
        return map_page(fd, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "the desk did not share memory with this hand");
    if (fd >= 0)
        close(fd);
    return NULL;
}

void hf_hold_table_free(HfHoldTable *releases)
{
    if (!releases)
        return;
    munmap(releases->page, sizeof *releases->page);
    close(releases->fd);
    g_mutex_clear(&releases->lock);
    g_free(releases);
}

int hf_hold_table_hold(HfHoldTable *releases, gint64 id)
{
    int place = 0;
    g_mutex_lock(&releases->lock);
    while (place < HF_LIMIT_HELD_CALLS && releases->taken[place])
        place++;
    if (place < HF_LIMIT_HELD_CALLS)
        releases->taken[place] = TRUE;
    g_mutex_unlock(&releases->lock);
    if (place == HF_LIMIT_HELD_CALLS)
        return -1;
    atomic_store(&releases->page->words[place], pack_hold_word(id, HELD));
    return place;
}

void hf_hold_table_release(HfHoldTable *releases, int place, gint64 id)
{
    _Atomic guint32 *word = &releases->page->words[place];
    if (atomic_exchange(word, pack_hold_word(id, LET_GO)) == pack_hold_word(id, AWAITED))
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void hf_hold_table_free_slot(HfHoldTable *releases, int place)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&releases->lock);
    releases->taken[place] = FALSE;
}

/* FALSE: it is not held, or not for this call. */
static gboolean mark_awaited_if_held(_Atomic guint32 *word, gint64 id)
{
    guint32 held = pack_hold_word(id, HELD);
    return atomic_compare_exchange_strong(word, &held, pack_hold_word(id, AWAITED)) ||
           held == pack_hold_word(id, AWAITED);
}

gboolean hf_hold_table_wait(HfHoldTable *releases, int place, gint64 id, const HfDeadline *deadline,
                            GError **error)
{
    if (place < 0 || place >= HF_LIMIT_HELD_CALLS)
        return hf_fail(error, HF_ERROR_INTERNAL, "there is no slot %d for a held call", place);
    _Atomic guint32 *word = &releases->page->words[place];
    const struct timespec pause = {.tv_nsec = LOOK_UP_MS * 1000 * 1000};
    while (atomic_load(word) != pack_hold_word(id, LET_GO) && mark_awaited_if_held(word, id)) {
        if (!hf_deadline_check(deadline, error))
            return FALSE;
        syscall(SYS_futex, word, FUTEX_WAIT, pack_hold_word(id, AWAITED), &pause, NULL, 0);
    }
    if (atomic_load(word) != pack_hold_word(id, LET_GO))
        return hf_fail(error, HF_ERROR_INTERNAL, "the desk holds another call in this slot");
    return hf_deadline_check(deadline, error);
}
