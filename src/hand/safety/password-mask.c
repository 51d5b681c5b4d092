/* SPDX-License-Identifier: Apache-2.0 */
/* The windows with what is known of them, behind a lock: pictures are taken on many threads. A
 * picture of a screen on which something was drawn waits until its windows were looked at again, if
 * that is soon done; else one more thread does it, so that no picture waits for long. */
#include "hand/safety/password-mask.h"

#include "hand/desktop/windows.h"
#include "hand/safety/blocked-window-mask.h"

#define MS 1000
/* First scans of windows that a capture waits for, in total. */
#define FIRST_LOOKS_MS 400
/* Rescans that a capture waits for: at most NOW_MS in total, only of windows whose last scan took
 * at most NOW_COST_US, each at most every NOW_PAUSE_US or NOW_PART times its last cost. */
#define NOW_MS       100
#define NOW_COST_US  (40 * MS)
#define NOW_PAUSE_US (30 * MS)
#define NOW_PART     10
/* Others are looked at again after something was drawn, but no sooner than this; and while one is
 * new, and its program may not be ready to tell anything yet, whether or not something was drawn.
 */
#define AGAIN_US (1000 * MS)
#define SOON_US  (300 * MS)
#define YOUNG_US (5000 * MS)
#define AGAIN_MS 500
/* So that looking takes no more than this part of a program's time. */
#define PART 20

typedef struct Known {
    gint64 pid; /* of its program; 0: not known yet */
    HfRect bounds;
    GArray *fields; /* of HfRect */
    gint64 first_us, looked_us, cost_us;
    guint64 serial; /* of the picture after which it was looked at */
    gboolean looking;
    gboolean mute; /* the program tells nothing: no picture waits for it again */
} Known;

struct HfPasswordMask {
    GMutex lock;       /* guards what follows */
    GHashTable *known; /* window → Known */
    HfPasswordFieldFinder finder;
    GThreadPool *again; /* NULL until something is to be looked at again */
    gboolean over;
};

static void known_free(gpointer data)
{
    Known *known = data;
    g_array_unref(known->fields);
    g_free(known);
}

HfPasswordMask *hf_password_mask_new(void)
{
    HfPasswordMask *secure = g_new0(HfPasswordMask, 1);
    g_mutex_init(&secure->lock);
    secure->known = g_hash_table_new_full(NULL, NULL, NULL, known_free);
    return secure;
}

void hf_password_mask_stop(HfPasswordMask *secure)
{
    g_mutex_lock(&secure->lock);
    GThreadPool *again = g_steal_pointer(&secure->again);
    secure->over = TRUE;
    g_mutex_unlock(&secure->lock);
    if (again)
        g_thread_pool_free(again, TRUE, TRUE);
}

void hf_password_mask_free(HfPasswordMask *secure)
{
    if (!secure)
        return;
    g_hash_table_unref(secure->known);
    g_mutex_clear(&secure->lock);
    g_free(secure);
}

void hf_password_mask_set_finder(HfDesktop *desktop, HfPasswordFieldFinder finder)
{
    HfPasswordMask *secure = desktop->secure;
    g_mutex_lock(&secure->lock);
    secure->finder = finder;
    g_mutex_unlock(&secure->lock);
}

/* ---- what is known ---- */

static Known *find_known_window(HfPasswordMask *secure, guint32 window)
{
    return g_hash_table_lookup(secure->known, GUINT_TO_POINTER(window));
}

static Known *ensure_known_window(HfPasswordMask *secure, guint32 window)
{
    Known *known = find_known_window(secure, window);
    if (known)
        return known;
    known = g_new0(Known, 1);
    known->fields = g_array_new(FALSE, FALSE, sizeof(HfRect));
    known->first_us = g_get_monotonic_time();
    g_hash_table_insert(secure->known, GUINT_TO_POINTER(window), known);
    return known;
}

void hf_password_mask_note(HfDesktop *desktop, guint32 window, HfRect bounds, const HfRect *fields,
                           guint count, gboolean whole)
{
    HfPasswordMask *secure = desktop->secure;
    g_mutex_lock(&secure->lock);
    Known *known = ensure_known_window(secure, window);
    known->looked_us = g_get_monotonic_time();
    if (whole || count > 0) {
        g_array_set_size(known->fields, 0);
        if (count > 0)
            g_array_append_vals(known->fields, fields, count);
        known->bounds = bounds;
    }
    g_mutex_unlock(&secure->lock);
}

gboolean hf_password_mask_has_none(HfDesktop *desktop, guint32 window, guint max_age_ms)
{
    HfPasswordMask *secure = desktop->secure;
    g_mutex_lock(&secure->lock);
    const Known *known = find_known_window(secure, window);
    gboolean none = known && known->fields->len == 0 &&
                    known->looked_us + (gint64)max_age_ms * MS > g_get_monotonic_time();
    g_mutex_unlock(&secure->lock);
    return none;
}

/* Ids are given again, also to the next program between two pictures. */
static void forget_gone_windows(HfPasswordMask *secure, const GPtrArray *windows)
{
    GHashTableIter iter;
    gpointer id, data;
    g_hash_table_iter_init(&iter, secure->known);
    while (g_hash_table_iter_next(&iter, &id, &data)) {
        Known *known = data;
        const HfWindow *window = hf_windows_find(windows, GPOINTER_TO_UINT(id));
        if (!window || (known->pid && known->pid != window->pid))
            g_hash_table_iter_remove(&iter);
        else
            known->pid = window->pid;
    }
}

/* ---- looking ---- */

static void scan_window(HfDesktop *desktop, guint32 window, guint max_ms, guint64 serial)
{
    HfPasswordMask *secure = desktop->secure;
    gint64 began = g_get_monotonic_time();
    gboolean told = secure->finder(desktop, window, max_ms);
    g_mutex_lock(&secure->lock);
    Known *known = ensure_known_window(secure, window);
    known->mute = !told;
    known->serial = serial ? serial : known->serial;
    known->looked_us = g_get_monotonic_time();
    known->cost_us = known->looked_us - began;
    known->looking = FALSE;
    g_mutex_unlock(&secure->lock);
}

static void rescan_window(gpointer window, gpointer desktop)
{
    scan_window(desktop, GPOINTER_TO_UINT(window), AGAIN_MS, 0);
}

static gboolean is_rescan_due(const Known *known, guint64 serial, gint64 now)
{
    gboolean young = now - known->first_us < YOUNG_US;
    gint64 pause = MAX(young ? SOON_US : AGAIN_US, known->cost_us * PART);
    return !known->looking && (young || known->serial != serial) && now - known->looked_us > pause;
}

static gboolean is_due_now(const Known *known, guint64 serial, gint64 now)
{
    gint64 pause = MAX(NOW_PAUSE_US, known->cost_us * NOW_PART);
    return !known->looking && !known->mute && known->serial != serial &&
           known->cost_us <= NOW_COST_US && now - known->looked_us > pause;
}

/* Under the lock. */
static void plan_rescan(HfDesktop *desktop, guint32 window, Known *known, guint64 serial)
{
    HfPasswordMask *secure = desktop->secure;
    if (secure->over || !is_rescan_due(known, serial, g_get_monotonic_time()))
        return;
    if (!secure->again)
        secure->again = g_thread_pool_new(rescan_window, desktop, 1, FALSE, NULL);
    known->looking = TRUE;
    known->serial = serial;
    g_thread_pool_push(secure->again, GUINT_TO_POINTER(window), NULL);
}

static gboolean is_window_pictured(const HfWindow *window, guint32 only)
{
    return only ? window->id == only
                : window->visible && !window->minimized && window->kind != HF_WINDOW_DESKTOP;
}

/* How long a picture may wait for a look at this window, which is planned for later if it may not.
 */
static gint64 allow_us(HfDesktop *desktop, guint32 window, guint64 serial, gint64 began)
{
    HfPasswordMask *secure = desktop->secure;
    gint64 now = g_get_monotonic_time(), most = FIRST_LOOKS_MS * MS;
    g_mutex_lock(&secure->lock);
    Known *known = find_known_window(secure, window);
    if (known)
        most = is_due_now(known, serial, now) ? NOW_MS * MS : 0;
    most = began + most - now;
    if (known && most > 0)
        known->looking = TRUE; /* so that no other picture waits for the same */
    else if (known)
        plan_rescan(desktop, window, known, serial);
    g_mutex_unlock(&secure->lock);
    return most;
}

/* Scans new windows, and changed ones that are quick to scan, at once; queues the rest. TRUE if any
 * was scanned. */
static gboolean scan_windows(HfDesktop *desktop, const GPtrArray *windows, guint32 only,
                             guint64 serial)
{
    gint64 began = g_get_monotonic_time();
    gboolean looked = FALSE;
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        gint64 left =
            is_window_pictured(window, only) ? allow_us(desktop, window->id, serial, began) : 0;
        if (left <= 0)
            continue;
        scan_window(desktop, window->id, (guint)(left / MS) + 1, serial);
        looked = TRUE;
    }
    return looked;
}

/* ---- covering ---- */

/* What lies on top of a field may be shown. */
static void cover_window(const GPtrArray *windows, guint index, const Known *known,
                         HfCapture *capture, gboolean alone)
{
    const HfWindow *window = windows->pdata[index];
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < known->fields->len; i++) {
        HfRect field = g_array_index(known->fields, HfRect, i);
        field.x += window->bounds.x - known->bounds.x;
        field.y += window->bounds.y - known->bounds.y;
        g_array_append_val(rects, field);
    }
    if (!alone)
        hf_blocked_window_mask_cut_above(windows, index, rects);
    hf_blocked_window_mask_paint(capture, rects);
}

static void mask_password_fields(HfPasswordMask *secure, const GPtrArray *windows,
                                 HfCapture *capture, guint32 window)
{
    g_mutex_lock(&secure->lock);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *shown = windows->pdata[i];
        const Known *known = find_known_window(secure, shown->id);
        if (known && known->fields->len > 0 && is_window_pictured(shown, window))
            cover_window(windows, i, known, capture, window != 0);
    }
    g_mutex_unlock(&secure->lock);
}

/* By what was known when the picture was taken, and by what is known now: a field may have come or
 * gone in between. */
void hf_password_mask_cover(HfDesktop *desktop, HfCapture *capture, guint32 window)
{
    HfPasswordMask *secure = desktop->secure;
    if (!secure || !secure->finder || !capture->image)
        return;
    g_autoptr(GPtrArray) windows =
        hf_blocked_window_mask_list_windows(desktop, capture->windows_serial, NULL);
    if (!windows)
        return;
    g_mutex_lock(&secure->lock);
    forget_gone_windows(secure, windows);
    g_mutex_unlock(&secure->lock);
    mask_password_fields(secure, windows, capture, window);
    if (scan_windows(desktop, windows, window, capture->change_serial))
        mask_password_fields(secure, windows, capture, window);
}
