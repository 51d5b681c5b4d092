/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a window is scanned for password fields. A picture waits only for first scans and
 * for rescans of windows that were fast to scan; one background thread does the others. Pictures
 * are taken on many threads, so all state is behind one lock. */
#include "hand/safety/password-mask.h"

#include "hand/desktop/windows.h"
#include "hand/safety/privacy-mask.h"

#define MS 1000
/* A capture waits this long for first scans, in total. */
#define FIRST_SCANS_MS 400
/* Rescans that a capture waits for: at most NOW_MS in total, only of windows whose last scan took
 * at most NOW_COST_US, each at most every NOW_PAUSE_US or NOW_PART times its last cost. */
#define NOW_MS       100
#define NOW_COST_US  (40 * MS)
#define NOW_PAUSE_US (30 * MS)
#define NOW_PART     10
/* Background rescans: after something was drawn or a scan ran out of time, at most every AGAIN_US.
 * A window younger than YOUNG_US is also rescanned without that, every SOON_US: its program may not
 * have been ready. */
#define AGAIN_US (1000 * MS)
#define SOON_US  (300 * MS)
#define YOUNG_US (5000 * MS)
#define AGAIN_MS 500
/* Scans take at most one part in PART of a program's time. */
#define PART 20

typedef struct Known {
    gint64 pid; /* 0: not known yet */
    HfRect bounds;
    GArray *fields; /* of HfRect */
    gint64 first_us, scanned_us, cost_us;
    guint64 serial; /* the drawn_serial of the last picture before the scan */
    gboolean scanning;
    HfPasswordScan last; /* how the last scan ended; 0: there was none */
} Known;

struct HfPasswordMask {
    GMutex lock;       /* guards what follows */
    GHashTable *known; /* window → Known */
    HfPasswordFieldFinder finder;
    GThreadPool *rescans; /* NULL until the first one */
    gboolean stopped;
};

static void known_free(gpointer data)
{
    Known *known = data;
    g_array_unref(known->fields);
    g_free(known);
}

HfPasswordMask *hf_password_mask_new(void)
{
    HfPasswordMask *mask = g_new0(HfPasswordMask, 1);
    g_mutex_init(&mask->lock);
    mask->known = g_hash_table_new_full(NULL, NULL, NULL, known_free);
    return mask;
}

void hf_password_mask_stop(HfPasswordMask *mask)
{
    g_mutex_lock(&mask->lock);
    GThreadPool *rescans = g_steal_pointer(&mask->rescans);
    mask->stopped = TRUE;
    g_mutex_unlock(&mask->lock);
    if (rescans)
        g_thread_pool_free(rescans, TRUE, TRUE);
}

void hf_password_mask_free(HfPasswordMask *mask)
{
    if (!mask)
        return;
    g_hash_table_unref(mask->known);
    g_mutex_clear(&mask->lock);
    g_free(mask);
}

void hf_password_mask_set_finder(HfDesktop *desktop, HfPasswordFieldFinder finder)
{
    HfPasswordMask *mask = desktop->password_mask;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    mask->finder = finder;
}

/* ---- known windows ---- */

static Known *find_known_window(HfPasswordMask *mask, guint32 window)
{
    return g_hash_table_lookup(mask->known, GUINT_TO_POINTER(window));
}

static Known *ensure_known_window(HfPasswordMask *mask, guint32 window)
{
    Known *known = find_known_window(mask, window);
    if (known)
        return known;
    known = g_new0(Known, 1);
    known->fields = g_array_new(FALSE, FALSE, sizeof(HfRect));
    known->first_us = g_get_monotonic_time();
    g_hash_table_insert(mask->known, GUINT_TO_POINTER(window), known);
    return known;
}

void hf_password_mask_note(HfDesktop *desktop, guint32 window, HfRect bounds, const HfRect *fields,
                           guint count, gboolean whole)
{
    HfPasswordMask *mask = desktop->password_mask;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    Known *known = ensure_known_window(mask, window);
    known->scanned_us = g_get_monotonic_time();
    if (whole || count > 0) {
        g_array_set_size(known->fields, 0);
        if (count > 0)
            g_array_append_vals(known->fields, fields, count);
        known->bounds = bounds;
    }
}

gboolean hf_password_mask_has_none(HfDesktop *desktop, guint32 window, guint max_age_ms)
{
    HfPasswordMask *mask = desktop->password_mask;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    const Known *known = find_known_window(mask, window);
    return known && known->fields->len == 0 &&
           known->scanned_us + (gint64)max_age_ms * MS > g_get_monotonic_time();
}

/* The X server reuses ids, also for another program between two pictures. */
static void forget_gone_windows(HfPasswordMask *mask, const GPtrArray *windows)
{
    GHashTableIter iter;
    gpointer id, data;
    g_hash_table_iter_init(&iter, mask->known);
    while (g_hash_table_iter_next(&iter, &id, &data)) {
        Known *known = data;
        const HfWindow *window = hf_windows_find(windows, GPOINTER_TO_UINT(id));
        if (!window || (known->pid && known->pid != window->pid))
            g_hash_table_iter_remove(&iter);
        else
            known->pid = window->pid;
    }
}

/* ---- scanning ---- */

static void scan_window(HfDesktop *desktop, guint32 window, guint max_ms, guint64 serial)
{
    HfPasswordMask *mask = desktop->password_mask;
    gint64 began = g_get_monotonic_time();
    HfPasswordScan scan = mask->finder(desktop, window, max_ms);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    Known *known = ensure_known_window(mask, window);
    known->last = scan;
    known->serial = serial ? serial : known->serial;
    known->scanned_us = g_get_monotonic_time();
    known->cost_us = known->scanned_us - began;
    known->scanning = FALSE;
}

static void rescan_window(gpointer window, gpointer desktop)
{
    scan_window(desktop, GPOINTER_TO_UINT(window), AGAIN_MS, 0);
}

/* TRUE if a scan may find something else than the last one did. */
static gboolean is_outdated(const Known *known, guint64 serial)
{
    return serial == 0 || known->serial != serial || known->last == HF_PASSWORD_SCAN_UNFINISHED;
}

static gboolean is_rescan_due(const Known *known, guint64 serial, gint64 now)
{
    gboolean young = now - known->first_us < YOUNG_US;
    gint64 pause = MAX(young ? SOON_US : AGAIN_US, known->cost_us * PART);
    return !known->scanning && (young || is_outdated(known, serial)) &&
           now - known->scanned_us > pause;
}

static gboolean is_due_now(const Known *known, guint64 serial, gint64 now)
{
    gint64 pause = MAX(NOW_PAUSE_US, known->cost_us * NOW_PART);
    return !known->scanning && known->last != HF_PASSWORD_SCAN_INACCESSIBLE &&
           is_outdated(known, serial) && known->cost_us <= NOW_COST_US &&
           now - known->scanned_us > pause;
}

/* With the lock held. */
static void plan_rescan(HfDesktop *desktop, guint32 window, Known *known, guint64 serial)
{
    HfPasswordMask *mask = desktop->password_mask;
    if (mask->stopped || !is_rescan_due(known, serial, g_get_monotonic_time()))
        return;
    if (!mask->rescans)
        mask->rescans = g_thread_pool_new(rescan_window, desktop, 1, FALSE, NULL);
    known->scanning = TRUE;
    known->serial = serial;
    g_thread_pool_push(mask->rescans, GUINT_TO_POINTER(window), NULL);
}

static gboolean is_window_pictured(const HfWindow *window, guint32 only)
{
    return only ? window->id == only
                : window->visible && !window->minimized && window->kind != HF_WINDOW_DESKTOP;
}

/* How long a picture may wait for a scan of this window. If it may not, plans a background scan. */
static gint64 allow_scan_us(HfDesktop *desktop, guint32 window, guint64 serial, gint64 began)
{
    HfPasswordMask *mask = desktop->password_mask;
    gint64 now = g_get_monotonic_time(), most = FIRST_SCANS_MS * MS;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    Known *known = find_known_window(mask, window);
    if (known)
        most = is_due_now(known, serial, now) ? NOW_MS * MS : 0;
    most = began + most - now;
    if (known && most > 0)
        known->scanning = TRUE; /* no other picture waits for the same scan */
    else if (known)
        plan_rescan(desktop, window, known, serial);
    return most;
}

/* Scans new windows, and changed ones that are quick to scan, at once; queues the rest. TRUE if any
 * was scanned. */
static gboolean scan_windows(HfDesktop *desktop, const GPtrArray *windows, guint32 only,
                             guint64 serial)
{
    gint64 began = g_get_monotonic_time();
    gboolean scanned = FALSE;
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        gint64 left = is_window_pictured(window, only)
                          ? allow_scan_us(desktop, window->id, serial, began)
                          : 0;
        if (left <= 0)
            continue;
        scan_window(desktop, window->id, (guint)(left / MS) + 1, serial);
        scanned = TRUE;
    }
    return scanned;
}

/* ---- covering ---- */

/* What lies on top of a field stays visible. */
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
        hf_privacy_mask_cut_above(windows, index, rects);
    hf_privacy_mask_paint(capture, rects);
}

static void mask_password_fields(HfPasswordMask *mask, const GPtrArray *windows, HfCapture *capture,
                                 guint32 window)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *shown = windows->pdata[i];
        const Known *known = find_known_window(mask, shown->id);
        if (known && known->fields->len > 0 && is_window_pictured(shown, window))
            cover_window(windows, i, known, capture, window != 0);
    }
}

/* Covers what was known when the picture was taken, then what a scan found: a field may have come
 * or gone in between. */
void hf_password_mask_cover(HfDesktop *desktop, HfCapture *capture, guint32 window)
{
    HfPasswordMask *mask = desktop->password_mask;
    if (!mask || !mask->finder || !capture->image)
        return;
    g_autoptr(GPtrArray) windows =
        hf_privacy_mask_list_windows(desktop, capture->windows_serial, NULL);
    if (!windows)
        return;
    g_mutex_lock(&mask->lock);
    forget_gone_windows(mask, windows);
    g_mutex_unlock(&mask->lock);
    mask_password_fields(mask, windows, capture, window);
    if (scan_windows(desktop, windows, window, capture->drawn_serial))
        mask_password_fields(mask, windows, capture, window);
}
