/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread only dispatches: answers to their callers, events to the listener. The
 * browser's data is untrusted: a message that is not an object with an id or a method is skipped,
 * and one without end closes the connection. */
#include "hand/browser/cdp/cdp.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/browser/browser-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/waiter.h"

/* ---- splitting the data of the pipe ---- */

/* The buffer shrinks to this after a large message: pictures are rare. */
#define KEPT_BYTES ((gsize)1024 * 1024)

struct HfCdpSplitter {
    GString *begun; /* a message whose end has not arrived */
    gsize most;
    gboolean broken;
};

HfCdpSplitter *hf_cdp_splitter_new(gsize most_bytes)
{
    HfCdpSplitter *splitter = g_new0(HfCdpSplitter, 1);
    splitter->begun = g_string_new(NULL);
    splitter->most = most_bytes;
    return splitter;
}

void hf_cdp_splitter_free(HfCdpSplitter *splitter)
{
    if (!splitter)
        return;
    g_string_free(splitter->begun, TRUE);
    g_free(splitter);
}

static void emit_begun_message(HfCdpSplitter *splitter, HfCdpSplitterFunc each, gpointer data)
{
    each(splitter->begun->str, splitter->begun->len, data);
    if (splitter->begun->allocated_len > KEPT_BYTES) {
        g_string_free(splitter->begun, TRUE);
        splitter->begun = g_string_new(NULL);
    }
    g_string_truncate(splitter->begun, 0);
}

gboolean hf_cdp_splitter_feed(HfCdpSplitter *splitter, const char *bytes, gsize count,
                              HfCdpSplitterFunc each, gpointer data)
{
    while (count > 0 && !splitter->broken) {
        const char *end = memchr(bytes, 0, count);
        gsize length = end ? (gsize)(end - bytes) : count;
        if (splitter->begun->len + length > splitter->most) {
            splitter->broken = TRUE;
            break;
        }
        if (end && splitter->begun->len == 0) {
            each(bytes, length, data);
        } else {
            g_string_append_len(splitter->begun, bytes, (gssize)length);
            if (end)
                emit_begun_message(splitter, each, data);
        }
        gsize used = end ? length + 1 : length;
        bytes += used;
        count -= used;
    }
    return !splitter->broken;
}

/* ---- parsing messages ----
 *
 * Most messages parse unchanged. Others are repaired, inside their strings only, and parsed again.
 */

#define REPLACEMENT "\\ufffd"
#define ESCAPE      6 /* bytes of \u0000 */

/* The UTF-16 unit of \uXXXX at `at`; -1 if there is none. */
static int unit_at(const char *at, const char *end)
{
    int unit = 0;
    if (end - at < ESCAPE || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < ESCAPE; i++) {
        int digit = g_ascii_xdigit_value(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static gboolean is_upper_half(int unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static gboolean is_lower_half(int unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* Appends the escape at `at`, repaired if needed; returns its length. */
static gsize repair_escape(GString *repaired, const char *at, const char *end)
{
    int unit = unit_at(at, end);
    int next = unit >= 0 ? unit_at(at + ESCAPE, end) : -1;
    gsize length = MIN(2, (gsize)(end - at));
    if (is_upper_half(unit) && is_lower_half(next))
        length = 2 * (gsize)ESCAPE;
    else if (unit == 0 || is_upper_half(unit) || is_lower_half(unit)) {
        g_string_append(repaired, REPLACEMENT);
        return ESCAPE;
    }
    g_string_append_len(repaired, at, (gssize)length);
    return length;
}

static json_t *parse_repaired(const char *text, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
    const char *at = valid, *end = valid + strlen(valid);
    g_autoptr(GString) repaired = g_string_sized_new(length);
    while (at < end) {
        const char *escape = memchr(at, '\\', (gsize)(end - at));
        g_string_append_len(repaired, at, (escape ? escape : end) - at);
        at = escape ? escape + repair_escape(repaired, escape, end) : end;
    }
    return json_loadb(repaired->str, repaired->len, 0, NULL);
}

json_t *hf_cdp_message_parse(const char *text, gsize length)
{
    json_t *message = json_loadb(text, length, 0, NULL);
    /* What does not even begin like a message cannot be repaired. */
    return message || length == 0 || text[0] != '{' ? message : parse_repaired(text, length);
}

#define READ_BYTES ((gsize)256 * 1024)
/* A browser whose pipe stays full for so long counts as gone. */
#define WRITE_MS 5000

typedef struct Pending {
    char *session;  /* NULL: the browser itself */
    json_t *answer; /* NULL until it arrives */
    gboolean ended; /* its session has ended */
} Pending;

struct HfCdp {
    int read_fd, write_fd, stop_fd;
    HfCdpListener listener;
    GThread *reader;
    GMutex write_lock; /* one message at a time; guards `jammed` */
    gboolean jammed;   /* the browser does not read */
    GMutex lock;       /* guards the members below */
    GCond changed;
    gint64 last_id;
    GHashTable *pending; /* id → Pending */
    GHashTable *blocked; /* sessions */
    gboolean shut;
};

static void pending_free(gpointer data)
{
    Pending *pending = data;
    g_free(pending->session);
    json_decref(pending->answer);
    g_free(pending);
}

/* ---- reading ---- */

static void dispatch_cdp_message(const char *text, gsize length, gpointer data)
{
    HfCdp *cdp = data;
    g_autoptr(json_t) message = hf_cdp_message_parse(text, length);
    if (!json_is_object(message))
        return;
    const char *method = hf_json_string(message, "method", NULL);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&cdp->lock);
    if (json_is_integer(json_object_get(message, "id"))) {
        gint64 id = hf_json_int(message, "id", 0);
        Pending *pending = g_hash_table_lookup(cdp->pending, &id);
        if (pending && !pending->answer)
            pending->answer = json_incref(message);
    } else if (method && !cdp->shut)
        cdp->listener.event(hf_json_string(message, "sessionId", NULL), method,
                            json_object_get(message, "params"), cdp->listener.data);
    g_cond_broadcast(&cdp->changed);
}

static gboolean wait_for_bytes(HfCdp *cdp)
{
    struct pollfd fds[] = {{cdp->read_fd, POLLIN, 0}, {cdp->stop_fd, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR)
            return FALSE;
    return !fds[1].revents;
}

static gpointer read_cdp_pipe(gpointer data)
{
    HfCdp *cdp = data;
    g_autoptr(HfCdpSplitter) splitter = hf_cdp_splitter_new(HF_LIMIT_CDP_MESSAGE_BYTES);
    g_autofree char *buffer = g_malloc(READ_BYTES);
    while (wait_for_bytes(cdp)) {
        ssize_t count = read(cdp->read_fd, buffer, READ_BYTES);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 ||
            !hf_cdp_splitter_feed(splitter, buffer, (gsize)count, dispatch_cdp_message, cdp))
            break;
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&cdp->lock);
    gboolean was_shut = cdp->shut;
    cdp->shut = TRUE;
    if (!was_shut)
        cdp->listener.closed(cdp->listener.data);
    g_cond_broadcast(&cdp->changed);
    return NULL;
}

HfCdp *hf_cdp_new(int read_fd, int write_fd, const HfCdpListener *listener)
{
    HfCdp *cdp = g_new0(HfCdp, 1);
    cdp->read_fd = read_fd;
    cdp->write_fd = write_fd;
    fcntl(write_fd, F_SETFL, fcntl(write_fd, F_GETFL) | O_NONBLOCK);
    cdp->stop_fd = eventfd(0, EFD_CLOEXEC);
    cdp->listener = *listener;
    g_mutex_init(&cdp->lock);
    g_mutex_init(&cdp->write_lock);
    g_cond_init(&cdp->changed);
    cdp->pending = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, pending_free);
    cdp->blocked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    cdp->reader = g_thread_new("browser-line", read_cdp_pipe, cdp);
    return cdp;
}

static void wake_reader(HfCdp *cdp)
{
    guint64 one = 1;
    ssize_t written = write(cdp->stop_fd, &one, sizeof one);
    (void)written;
}

void hf_cdp_shut(HfCdp *cdp)
{
    g_mutex_lock(&cdp->lock);
    cdp->shut = TRUE;
    g_cond_broadcast(&cdp->changed);
    g_mutex_unlock(&cdp->lock);
    wake_reader(cdp);
}

void hf_cdp_free(HfCdp *cdp)
{
    if (!cdp)
        return;
    hf_cdp_shut(cdp);
    g_thread_join(cdp->reader);
    close(cdp->read_fd);
    close(cdp->write_fd);
    close(cdp->stop_fd);
    g_hash_table_unref(cdp->pending);
    g_hash_table_unref(cdp->blocked);
    g_mutex_clear(&cdp->lock);
    g_mutex_clear(&cdp->write_lock);
    g_cond_clear(&cdp->changed);
    g_free(cdp);
}

gboolean hf_cdp_is_open(HfCdp *cdp)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&cdp->lock);
    return !cdp->shut;
}

/* ---- writing ---- */

static gboolean write_cdp_bytes(HfCdp *cdp, const char *text, gsize length)
{
    while (length > 0) {
        ssize_t count = write(cdp->write_fd, text, length);
        if (count > 0) {
            text += count;
            length -= (gsize)count;
            continue;
        }
        struct pollfd room = {cdp->write_fd, POLLOUT, 0};
        if (errno != EINTR && (errno != EAGAIN || poll(&room, 1, WRITE_MS) <= 0))
            return FALSE;
    }
    return TRUE;
}

/* A browser that stops reading is as good as gone: after half a message it would misread everything
 * that follows. The reader reports the end, because the lock may be held here. */
static void write_message(HfCdp *cdp, const char *text, gsize length)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&cdp->write_lock);
    if (!cdp->jammed && !write_cdp_bytes(cdp, text, length)) {
        cdp->jammed = TRUE;
        wake_reader(cdp);
    }
}

static void send_cdp_command(HfCdp *cdp, gint64 id, const char *session, const char *method,
                             json_t *take_params)
{
    g_autoptr(json_t) message = json_pack("{s:I, s:s, s:o}", "id", (json_int_t)id, "method", method,
                                          "params", take_params ? take_params : json_object());
    if (session)
        json_object_set_new(message, "sessionId", json_string(session));
    g_autofree char *text = hf_json_dump(message);
    if (text)
        write_message(cdp, text, strlen(text) + 1);
}

/* Commands without a waiting caller have negative ids. */
void hf_cdp_send(HfCdp *cdp, const char *session, const char *method, json_t *take_params)
{
    static gint sent;
    send_cdp_command(cdp, -1 - (gint64)(g_atomic_int_add(&sent, 1) & G_MAXINT), session, method,
                     take_params);
}

gint64 hf_cdp_begin(HfCdp *cdp, const char *session, const char *method, json_t *take_params)
{
    Pending *pending = g_new0(Pending, 1);
    pending->session = g_strdup(session);
    g_mutex_lock(&cdp->lock);
    gint64 id = ++cdp->last_id;
    g_hash_table_insert(cdp->pending, g_memdup2(&id, sizeof id), pending);
    g_mutex_unlock(&cdp->lock);
    send_cdp_command(cdp, id, session, method, take_params);
    return id;
}

/* ---- waiting ---- */

/* With the lock held: waits for any change. FALSE at the deadline, when cancelled, or when the
 * connection is shut. */
static gboolean wait_for_cdp_change(HfCdp *cdp, const HfDeadline *deadline, GError **error)
{
    if (cdp->shut)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the browser has ended; the next call says which pages were open");
    if (!hf_deadline_check(deadline, error))
        return FALSE;
    g_cond_wait_until(&cdp->changed, &cdp->lock, deadline->at_us);
    return TRUE;
}

gboolean hf_cdp_wait_for(HfCdp *cdp, HfCdpTest test, gpointer data, const HfDeadline *deadline,
                         GError **error)
{
    HfWaiter waiter;
    hf_waiter_begin(&waiter, &cdp->lock, &cdp->changed, deadline->cancellable);
    g_mutex_lock(&cdp->lock);
    gboolean met = test(data);
    while (!met && wait_for_cdp_change(cdp, deadline, error))
        met = test(data);
    g_mutex_unlock(&cdp->lock);
    hf_waiter_end(&waiter);
    return met;
}

/* What the browser refuses is mostly an element or a page that has just gone. */
static json_t *unpack_answer(const json_t *answer, GError **error)
{
    const json_t *problem = json_object_get(answer, "error");
    if (problem && !json_is_null(problem)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the browser refused: %s",
                hf_json_string(problem, "message", "no reason given"));
        return NULL;
    }
    json_t *result = json_object_get(answer, "result");
    return json_is_object(result) ? json_incref(result) : json_object();
}

static json_t *wait_for_cdp_answer(HfCdp *cdp, gint64 id, gboolean despite_dialog,
                                   const HfDeadline *deadline, GError **error)
{
    HfWaiter waiter;
    json_t *result = NULL;
    hf_waiter_begin(&waiter, &cdp->lock, &cdp->changed, deadline->cancellable);
    g_mutex_lock(&cdp->lock);
    Pending *pending = g_hash_table_lookup(cdp->pending, &id);
    for (;;) {
        if (pending->answer) {
            result = unpack_answer(pending->answer, error);
            break;
        }
        if (pending->ended) {
            hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the page is gone");
            break;
        }
        if (!despite_dialog && pending->session &&
            g_hash_table_contains(cdp->blocked, pending->session)) {
            hf_fail(error, HF_ERROR_DESKTOP_MODAL_BLOCKING, "the page shows a dialog");
            break;
        }
        if (!wait_for_cdp_change(cdp, deadline, error))
            break;
    }
    g_hash_table_remove(cdp->pending, &id);
    g_mutex_unlock(&cdp->lock);
    hf_waiter_end(&waiter);
    return result;
}

json_t *hf_cdp_finish(HfCdp *cdp, gint64 id, const HfDeadline *deadline, GError **error)
{
    return wait_for_cdp_answer(cdp, id, FALSE, deadline, error);
}

json_t *hf_cdp_call(HfCdp *cdp, const char *session, const char *method, json_t *take_params,
                    const HfDeadline *deadline, GError **error)
{
    return wait_for_cdp_answer(cdp, hf_cdp_begin(cdp, session, method, take_params), FALSE,
                               deadline, error);
}

json_t *hf_cdp_call_despite_dialog(HfCdp *cdp, const char *session, const char *method,
                                   json_t *take_params, const HfDeadline *deadline, GError **error)
{
    return wait_for_cdp_answer(cdp, hf_cdp_begin(cdp, session, method, take_params), TRUE, deadline,
                               error);
}

/* ---- for the listener ---- */

void hf_cdp_end_session(HfCdp *cdp, const char *session)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_remove(cdp->blocked, session);
    g_hash_table_iter_init(&iter, cdp->pending);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        Pending *pending = value;
        pending->ended |= g_strcmp0(pending->session, session) == 0;
    }
}

void hf_cdp_set_blocked(HfCdp *cdp, const char *session, gboolean blocked)
{
    if (blocked)
        g_hash_table_add(cdp->blocked, g_strdup(session));
    else
        g_hash_table_remove(cdp->blocked, session);
}

void hf_cdp_lock(HfCdp *cdp)
{
    g_mutex_lock(&cdp->lock);
}

void hf_cdp_unlock(HfCdp *cdp)
{
    g_mutex_unlock(&cdp->lock);
}
