/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which parts of a picture to cover, and covers them. A picture and a list of windows are
 * taken one after the other, and a window can move in between. A list is right for a picture if no
 * window changed since the list was made, or if a second list, made after the picture, covers the
 * same places. Otherwise the picture is thrown away. What lies on top of a covered window stays
 * visible. */
#include "hand/safety/privacy-mask.h"

#include <string.h>

#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

/* Usually one is enough, and two after a window has changed. */
#define TRIES 8

#define BLOCK_PX 8
/* Antialiased edges of letters reach out of their field. */
#define MARGIN_PX 2

/* The windows, menus and lists on the screen. NULL: not listed. */
typedef struct Scene {
    GPtrArray *windows, *popups;
    guint64 serial; /* pictures that are taken later and have this serial show this scene */
} Scene;

struct HfPrivacyMask {
    GMutex lock; /* guards what follows */
    Scene known;
    guint64 list_hash, list_changes;
};

static void scene_clear(Scene *scene)
{
    g_clear_pointer(&scene->windows, g_ptr_array_unref);
    g_clear_pointer(&scene->popups, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Scene, scene_clear)

HfPrivacyMask *hf_privacy_mask_new(void)
{
    HfPrivacyMask *mask = g_new0(HfPrivacyMask, 1);
    g_mutex_init(&mask->lock);
    return mask;
}

void hf_privacy_mask_free(HfPrivacyMask *mask)
{
    if (!mask)
        return;
    scene_clear(&mask->known);
    g_mutex_clear(&mask->lock);
    g_free(mask);
}

guint64 hf_privacy_mask_count_list_changes(const HfCallContext *context)
{
    HfPrivacyMask *mask = hf_call_context_desktop(context)->privacy_mask;
    guint64 hash = hf_privacy_list_get_hash(hf_fence_get_privacy_list(context));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    if (hash != mask->list_hash)
        mask->list_changes++;
    mask->list_hash = hash;
    return mask->list_changes;
}

/* ---- painting ---- */

/* A blur or a mosaic of text in a known font can be reversed, so a shade depends on its place
 * alone. */
static guint32 shade_at(int x, int y)
{
    static const guint32 shades[] = {0xff767b84, 0xff868b94, 0xff7e838c, 0xff8e939c};
    unsigned column = (unsigned)x / BLOCK_PX, row = (unsigned)y / BLOCK_PX;
    return shades[(column * 7 + row * 5 + (column ^ row)) % G_N_ELEMENTS(shades)];
}

static void paint_blocks(HfImage *image, HfRect rect)
{
    HfRect grown = {rect.x - MARGIN_PX, rect.y - MARGIN_PX, rect.width + 2 * MARGIN_PX,
                    rect.height + 2 * MARGIN_PX};
    HfRect area = hf_rect_intersect(grown, (HfRect){0, 0, image->width, image->height});
    for (int y = area.y; y < area.y + area.height; y++) {
        guint32 *row = hf_image_row(image, y);
        for (int x = area.x; x < area.x + area.width; x++)
            row[x] = shade_at(x - area.x, y - area.y);
    }
}

void hf_privacy_mask_paint(HfCapture *capture, const GArray *places)
{
    for (guint i = 0; i < places->len; i++) {
        HfRect rect = g_array_index(places, HfRect, i);
        rect.x -= capture->area.x;
        rect.y -= capture->area.y;
        if (!hf_rect_is_empty(rect))
            paint_blocks(capture->image, rect);
    }
}

/* ---- listing windows ---- */

static GPtrArray *ref_list(GPtrArray *list)
{
    return list ? g_ptr_array_ref(list) : NULL;
}

static Scene copy_known_scene(HfPrivacyMask *mask)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    Scene copy = {ref_list(mask->known.windows), ref_list(mask->known.popups), mask->known.serial};
    return copy;
}

/* Caches a list only if its windows were watched before: otherwise a change could be missed. */
static void cache_window_list(HfDesktop *desktop, GPtrArray *windows, guint64 serial)
{
    HfPrivacyMask *mask = desktop->privacy_mask;
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < windows->len; i++)
        g_array_append_val(ids, ((const HfWindow *)windows->pdata[i])->id);
    if (!hf_screen_watch_windows(desktop, (const guint32 *)(gpointer)ids->data, ids->len) ||
        !serial)
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    scene_clear(&mask->known);
    mask->known.windows = g_ptr_array_ref(windows);
    mask->known.serial = serial;
}

GPtrArray *hf_privacy_mask_list_windows(HfDesktop *desktop, guint64 serial, GError **error)
{
    g_auto(Scene) known = copy_known_scene(desktop->privacy_mask);
    if (known.windows && serial && known.serial == serial)
        return g_steal_pointer(&known.windows);
    GPtrArray *windows = hf_windows_list(desktop, error);
    if (windows)
        cache_window_list(desktop, windows, serial);
    return windows;
}

static GPtrArray *list_popups(HfDesktop *desktop, guint64 serial, GError **error)
{
    HfPrivacyMask *mask = desktop->privacy_mask;
    g_auto(Scene) known = copy_known_scene(mask);
    if (known.popups && serial && known.serial == serial)
        return g_steal_pointer(&known.popups);
    GPtrArray *popups = hf_windows_list_popups(desktop, error);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mask->lock);
    if (popups && mask->known.windows && serial && mask->known.serial == serial &&
        !mask->known.popups)
        mask->known.popups = g_ptr_array_ref(popups);
    return popups;
}

static gboolean lists_private_windows(const HfCallContext *context)
{
    return hf_privacy_list_has_windows(hf_fence_get_privacy_list(context));
}

/* Only privacy.blur covers menus and lists, so only it needs them listed. */
static gboolean is_complete(const HfCallContext *context, const Scene *scene)
{
    return scene->windows && (scene->popups || !lists_private_windows(context));
}

static gboolean list_scene(const HfCallContext *context, guint64 serial, Scene *ret_scene,
                           GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    ret_scene->windows = hf_privacy_mask_list_windows(desktop, serial, error);
    if (ret_scene->windows && lists_private_windows(context))
        ret_scene->popups = list_popups(desktop, serial, error);
    return is_complete(context, ret_scene);
}

/* ---- finding what to cover ---- */

static gboolean is_window_seen(const HfWindow *window)
{
    return window->visible && !window->minimized;
}

void hf_privacy_mask_cut_above(const GPtrArray *windows, guint index, GArray *places)
{
    for (guint i = 0; i < index && places->len > 0; i++) {
        const HfWindow *above = windows->pdata[i];
        if (is_window_seen(above) && above->kind != HF_WINDOW_DESKTOP)
            hf_rects_subtract(places, hf_rect_intersect(above->bounds, above->frame));
    }
}

/* The contents and the frame of a blocked window. */
static void add_blocked_window(const GPtrArray *windows, guint index, GArray *rects)
{
    const HfWindow *window = windows->pdata[index];
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(parts, window->frame);
    hf_rects_subtract(parts, window->bounds);
    g_array_append_val(parts, window->bounds);
    hf_privacy_mask_cut_above(windows, index, parts);
    g_array_append_vals(rects, parts->data, parts->len);
}

/* Menus and lists show what is in the window that they belong to. */
static void add_popups(const GPtrArray *popups, int pid, GArray *rects)
{
    for (guint i = 0; i < popups->len; i++) {
        const HfWindow *popup = popups->pdata[i];
        if (pid > 0 && popup->pid == pid)
            g_array_append_val(rects, popup->bounds);
    }
}

static void add_listed_window(const HfPrivacyList *list, const Scene *scene, guint index,
                              GArray *rects)
{
    const HfWindow *window = scene->windows->pdata[index];
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (hf_privacy_list_add_window(list, window, parts))
        add_popups(scene->popups, window->pid, rects);
    hf_privacy_mask_cut_above(scene->windows, index, parts);
    g_array_append_vals(rects, parts->data, parts->len);
}

static void add_listed(const HfPrivacyList *list, const Scene *scene, GArray *rects)
{
    hf_privacy_list_add_places(list, rects);
    for (guint i = 0; scene->windows && i < scene->windows->len; i++)
        if (is_window_seen(scene->windows->pdata[i]))
            add_listed_window(list, scene, i, rects);
}

/* For the picture of a single window, which has nothing on top of it. */
static void add_listed_alone(const HfPrivacyList *list, const Scene *scene, guint32 id, HfRect area,
                             GArray *rects)
{
    const HfWindow *window = scene->windows ? hf_windows_find(scene->windows, id) : NULL;
    hf_privacy_list_add_places(list, rects);
    if (scene->windows && (!window || hf_privacy_list_add_window(list, window, rects)))
        g_array_append_val(rects, area);
}

/* `alone`: the only window in the picture; 0: the picture may show any. */
static GArray *find_rects(const HfCallContext *context, const Scene *scene, guint32 alone,
                          HfRect area)
{
    const HfPrivacyList *list = hf_fence_get_privacy_list(context);
    GArray *rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (list && alone)
        add_listed_alone(list, scene, alone, area, rects);
    else if (list)
        add_listed(list, scene, rects);
    if (!scene->windows || alone || !hf_fence_blocks_any(context))
        return rects;
    for (guint i = 0; i < scene->windows->len; i++)
        if (is_window_seen(scene->windows->pdata[i]) &&
            hf_fence_blocks(context, scene->windows->pdata[i]))
            add_blocked_window(scene->windows, i, rects);
    return rects;
}

static gboolean are_rects_equal(const GArray *some, const GArray *others)
{
    return some->len == others->len &&
           (some->len == 0 || memcmp(some->data, others->data, some->len * sizeof(HfRect)) == 0);
}

/* ---- taking pictures ---- */

static gboolean is_mask_certain(const HfCallContext *context, const Scene *known, guint32 alone,
                                const HfCapture *capture)
{
    gboolean needed = lists_private_windows(context) || (!alone && hf_fence_blocks_any(context));
    return !needed || (is_complete(context, known) && known->serial &&
                       known->serial == capture->windows_serial);
}

/* Lists the windows again after the picture and replaces `scene` by them. TRUE if both lists cover
 * the same. */
static gboolean confirm_scene(const HfCallContext *context, const HfCapture *capture, guint32 alone,
                              Scene *scene, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_auto(Scene) before = *scene;
    *scene = (Scene){.serial = capture->windows_serial};
    if (!list_scene(context, scene->serial, scene, &problem)) {
        /* A desktop that cannot list windows has no blocked ones. */
        if (hf_error_code(problem) == HF_ERROR_UNSUPPORTED && !lists_private_windows(context))
            return TRUE;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    if (!is_complete(context, &before))
        return FALSE;
    g_autoptr(GArray) then = find_rects(context, &before, alone, capture->area);
    g_autoptr(GArray) now = find_rects(context, scene, alone, capture->area);
    return are_rects_equal(then, now);
}

/* NULL without an error: it was not certain what to cover. */
static HfCapture *try_capture(const HfCallContext *context, const HfCaptureRequest *request,
                              const HfDeadline *deadline, Scene *scene, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    g_autoptr(HfCapture) capture =
        desktop->backend->screen->capture(desktop, request, deadline, error);
    if (!capture || !capture->image)
        return g_steal_pointer(&capture);
    guint32 alone = capture->occluded ? 0 : request->window;
    if (!is_mask_certain(context, scene, alone, capture) &&
        !confirm_scene(context, capture, alone, scene, error))
        return NULL;
    g_autoptr(GArray) rects = find_rects(context, scene, alone, capture->area);
    hf_privacy_mask_paint(capture, rects);
    return g_steal_pointer(&capture);
}

HfCapture *hf_privacy_mask_capture(const HfCallContext *context, const HfCaptureRequest *request,
                                   const HfDeadline *deadline, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    if (!hf_fence_get_privacy_list(context) && !hf_fence_blocks_any(context))
        return desktop->backend->screen->capture(desktop, request, deadline, error);
    g_auto(Scene) scene = {0};
    if (lists_private_windows(context) || hf_fence_blocks_any(context))
        scene = copy_known_scene(desktop->privacy_mask);
    HfCapture *capture = NULL;
    GError *failed = NULL;
    for (int i = 0; i < TRIES && !capture && !failed; i++)
        capture = try_capture(context, request, deadline, &scene, &failed);
    if (failed)
        g_propagate_error(error, failed);
    else if (!capture)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "a window that pictures must not show keeps moving; try again when it is still");
    return capture;
}

void hf_privacy_mask_hide(const HfCallContext *context, GArray *places)
{
    const HfPrivacyList *list = hf_fence_get_privacy_list(context);
    g_auto(Scene) scene = {0};
    if (!list || places->len == 0)
        return;
    if (hf_privacy_list_has_windows(list) && !list_scene(context, 0, &scene, NULL)) {
        g_array_set_size(places, 0);
        return;
    }
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    add_listed(list, &scene, rects);
    for (guint i = 0; i < rects->len; i++)
        hf_rects_subtract(places, g_array_index(rects, HfRect, i));
}
