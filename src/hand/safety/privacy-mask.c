/* SPDX-License-Identifier: Apache-2.0 */
/* A picture and a list of windows are taken one after the other, and a window can move in between.
 * A list that was made before a picture, with no news of any window since, is right for it; and so
 * is one by which the same is covered as by the list that was made after it. */
#include "hand/safety/privacy-mask.h"

#include <string.h>

#include "hand/desktop/windows.h"
#include "hand/safety/blocked-window-mask.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

/* Mostly one is enough, and two after a window has changed. */
#define TRIES 8

/* Which windows there are, and which menus and lists; NULL when nobody needs to know. */
typedef struct Scene {
    GPtrArray *windows, *popups;
    guint64 serial; /* of the pictures that it is right for, if they are taken after it was made */
} Scene;

static void scene_clear(Scene *scene)
{
    g_clear_pointer(&scene->windows, g_ptr_array_unref);
    g_clear_pointer(&scene->popups, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Scene, scene_clear)

/* ---- windows at rest ---- */

static gboolean is_masked_window_seen(const HfWindow *window)
{
    return window->visible && !window->minimized;
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

/* What is to be seen of it between those on top. */
static void add_visible(const HfPrivacyList *veil, const Scene *scene, guint index, GArray *rects)
{
    const HfWindow *window = scene->windows->pdata[index];
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (hf_privacy_list_add_window(veil, window, parts))
        add_popups(scene->popups, window->pid, rects);
    hf_blocked_window_mask_cut_above(scene->windows, index, parts);
    g_array_append_vals(rects, parts->data, parts->len);
}

static void add_screen_masks(const HfPrivacyList *veil, const Scene *scene, GArray *rects)
{
    hf_privacy_list_add_places(veil, rects);
    for (guint i = 0; scene->windows && i < scene->windows->len; i++)
        if (is_masked_window_seen(scene->windows->pdata[i]))
            add_visible(veil, scene, i, rects);
}

/* Of a window's own picture, which has nothing on top of it. */
static void add_alone(const HfPrivacyList *veil, const Scene *scene, guint32 id, HfRect area,
                      GArray *rects)
{
    const HfWindow *window = scene->windows ? hf_windows_find(scene->windows, id) : NULL;
    hf_privacy_list_add_places(veil, rects);
    if (scene->windows && (!window || hf_privacy_list_add_window(veil, window, rects)))
        g_array_append_val(rects, area);
}

/* ---- covering ---- */

/* `alone`: the window whose own picture it is, which shows nothing of others; 0: it may show any.
 */
static GArray *find_rects(const HfCallContext *context, const Scene *scene, guint32 alone,
                          HfRect area)
{
    const HfPrivacyList *veil = hf_fence_get_privacy_list(context);
    GArray *rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (veil && alone)
        add_alone(veil, scene, alone, area, rects);
    else if (veil)
        add_screen_masks(veil, scene, rects);
    if (scene->windows && !alone)
        hf_blocked_window_mask_add_blocked(context, scene->windows, rects);
    return rects;
}

static gboolean are_rects_equal(const GArray *some, const GArray *others)
{
    return some->len == others->len &&
           (some->len == 0 || memcmp(some->data, others->data, some->len * sizeof(HfRect)) == 0);
}

/* ---- taking pictures ---- */

static gboolean lists_private_windows(const HfCallContext *context)
{
    const HfPrivacyList *veil = hf_fence_get_privacy_list(context);
    return veil && hf_privacy_list_has_windows(veil);
}

/* Menus and lists belong to what is veiled alone. */
static gboolean is_complete(const HfCallContext *context, const Scene *scene)
{
    return scene->windows && (scene->popups || !lists_private_windows(context));
}

static gboolean list_scene(const HfCallContext *context, guint64 serial, Scene *ret_scene,
                           GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    ret_scene->windows = hf_blocked_window_mask_list_windows(desktop, serial, error);
    if (ret_scene->windows && lists_private_windows(context))
        ret_scene->popups = hf_blocked_window_mask_list_popups(desktop, serial, error);
    return is_complete(context, ret_scene);
}

static gboolean is_mask_certain(const HfCallContext *context, const Scene *known, guint32 alone,
                                const HfCapture *capture)
{
    gboolean needed = lists_private_windows(context) || (!alone && hf_fence_blocks_any(context));
    return !needed || (is_complete(context, known) && known->serial &&
                       known->serial == capture->windows_serial);
}

/* Looks again, after the picture; TRUE: by that the same is covered as by `scene`, which is what
 * was seen now from here on. */
static gboolean confirm_scene(const HfCallContext *context, const HfCapture *capture, guint32 alone,
                              Scene *scene, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_auto(Scene) before = *scene;
    *scene = (Scene){.serial = capture->windows_serial};
    if (!list_scene(context, scene->serial, scene, &problem)) {
        /* Where no windows can be told apart, none of them is blocked. */
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

/* Takes one and covers it. NULL without an error: it was not certain by what. */
static HfCapture *try_once(const HfCallContext *context, const HfCaptureRequest *request,
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
    hf_blocked_window_mask_paint(capture, rects);
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
        scene.serial = hf_blocked_window_mask_dup_known(desktop, &scene.windows, &scene.popups);
    HfCapture *capture = NULL;
    GError *failed = NULL;
    for (int i = 0; i < TRIES && !capture && !failed; i++)
        capture = try_once(context, request, deadline, &scene, &failed);
    if (failed)
        g_propagate_error(error, failed);
    else if (!capture)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "a window that pictures must not show keeps moving; try again");
    return capture;
}

void hf_privacy_mask_hide(const HfCallContext *context, GArray *places)
{
    const HfPrivacyList *veil = hf_fence_get_privacy_list(context);
    g_auto(Scene) scene = {0};
    if (!veil || places->len == 0)
        return;
    if (hf_privacy_list_has_windows(veil) && !list_scene(context, 0, &scene, NULL)) {
        g_array_set_size(places, 0);
        return;
    }
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    add_screen_masks(veil, &scene, rects);
    for (guint i = 0; i < rects->len; i++)
        hf_rects_subtract(places, g_array_index(rects, HfRect, i));
}
