/* SPDX-License-Identifier: Apache-2.0 */
/* Windows are matched by process, title and size. The size also gives the scale: the one, of those
 * that toolkits use, with which the sizes agree. The window system decides where a window is, so
 * one shift corrects both rounding and coordinates that are not the screen's. */
#include "hand/atspi/read/window-transform.h"

#include <math.h>
#include <string.h>

/* By how many pixels a size may be off: rounded units, borders. */
#define ROUNDING    2
#define MOST_BORDER 64
/* How high a menu bar can be, in the program's pixels. */
#define PANE_LEAST 12
#define PANE_MOST  80

typedef struct Fit {
    gboolean found;
    double scale;
    HfRect rect;       /* the part of the window that the program means */
    int border, error; /* on each side of it; how far the sizes differ */
} Fit;

HfRect hf_transform_rect(HfTransform transform, HfRect rect)
{
    int left = (int)lround(rect.x * transform.scale), top = (int)lround(rect.y * transform.scale);
    return (HfRect){
        left + transform.x,
        top + transform.y,
        (int)lround((rect.x + rect.width) * transform.scale) - left,
        (int)lround((rect.y + rect.height) * transform.scale) - top,
    };
}

/* The extents of a window that draws its own frame leave out the shadow, or the border. */
static void try_rect(Fit *best, HfRect rect, HfRect extents, double scale, gboolean borders)
{
    int wide = rect.width - (int)lround(extents.width * scale);
    int high = rect.height - (int)lround(extents.height * scale);
    int error = MAX(ABS(wide), ABS(high)), border = 0;
    if (borders && wide > 0 && wide <= MOST_BORDER && ABS(wide - high) <= ROUNDING) {
        border = wide / 2;
        error = MAX(1, ABS(wide - high));
    }
    if (error > ROUNDING * ceil(scale) || (best->found && error >= best->error))
        return;
    *best = (Fit){TRUE, scale, rect, border, error};
}

static void try_window(Fit *best, const HfWindow *window, HfRect extents, double scale,
                       gboolean borders)
{
    const HfRect rects[] = {hf_rect_intersect(window->bounds, window->frame), window->bounds,
                            window->frame};
    for (gsize i = 0; i < G_N_ELEMENTS(rects); i++)
        try_rect(best, rects[i], extents, scale, borders);
}

/* Tries the desktop's scale and no scale first; else the program has a scale of its own. */
static Fit find_fit(const HfToolkitTraits *toolkit, const HfWindow *window, HfRect extents,
                    double scale)
{
    const double usual[] = {scale, floor(scale), 1};
    static const double others[] = {2, 3, 1.5, 1.25, 1.75, 2.5, 4};
    Fit best = {0};
    for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
        try_window(&best, window, extents, usual[i], toolkit->window_relative);
    for (gsize i = 0; i < G_N_ELEMENTS(others) && !best.found; i++)
        try_window(&best, window, extents, others[i], toolkit->window_relative);
    return best;
}

static HfTransform shift_to(const Fit *fit, HfRect extents)
{
    return (HfTransform){
        fit->scale,
        fit->rect.x + fit->border - (int)lround(extents.x * fit->scale),
        fit->rect.y + fit->border - (int)lround(extents.y * fit->scale),
    };
}

/* 0: no match. */
static int score_window_match(const HfToolkitTraits *toolkit, int pid, const HfWindow *window,
                              const HfTopWindow *top, double scale)
{
    if (pid > 0 && window->pid > 0 && window->pid != pid)
        return 0;
    gboolean named = top->name && *top->name && strcmp(top->name, window->title) == 0;
    Fit fit = find_fit(toolkit, window, top->extents, scale);
    HfTransform shift = fit.found ? shift_to(&fit, top->extents) : (HfTransform){0};
    gboolean there = fit.found && ABS(shift.x) <= ROUNDING && ABS(shift.y) <= ROUNDING;
    if (!named && !fit.found)
        return 0;
    return named * 4 + fit.found * 2 + there + window->visible;
}

static gboolean is_window_matched(const HfTopWindow *tops, gsize count, guint32 window)
{
    for (gsize i = 0; i < count; i++)
        if (tops[i].window == window)
            return TRUE;
    return FALSE;
}

/* Matches the best pair that is left. */
static gboolean match_next(const HfToolkitTraits *toolkit, int pid, const GPtrArray *windows,
                           double scale, HfTopWindow *tops, gsize count)
{
    int best = 0;
    HfTopWindow *best_top = NULL;
    guint32 best_window = 0;
    for (gsize i = 0; i < count; i++) {
        for (guint k = 0; k < windows->len && tops[i].window == 0; k++) {
            const HfWindow *window = windows->pdata[k];
            int points = score_window_match(toolkit, pid, window, &tops[i], scale);
            if (points <= best || is_window_matched(tops, count, window->id))
                continue;
            best = points;
            best_top = &tops[i];
            best_window = window->id;
        }
    }
    if (best_top)
        best_top->window = best_window;
    return best_top != NULL;
}

/* If both sides have exactly one window, they match whatever the program reports. */
static void match_only(int pid, const GPtrArray *windows, HfTopWindow *tops, gsize count)
{
    const HfWindow *only = NULL;
    guint found = 0;
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (pid <= 0 || window->pid != pid)
            continue;
        only = window;
        found++;
    }
    if (count == 1 && found == 1 && tops[0].window == 0)
        tops[0].window = only->id;
}

/* For a window whose size does not help: what the toolkit usually does. */
static HfTransform guess_transform(const HfToolkitTraits *toolkit, const HfWindow *window,
                                   double scale)
{
    gboolean whole = g_ascii_strcasecmp(toolkit->name, "gtk") == 0;
    HfTransform transform = {whole ? floor(scale) : scale, 0, 0};
    if (window && toolkit->window_relative) {
        HfRect inner = hf_rect_intersect(window->bounds, window->frame);
        transform.x = inner.x;
        transform.y = inner.y;
    }
    return transform;
}

/* Popups are not listed as windows; they have the scale of their program's windows. */
static void place_others(HfTopWindow *tops, gsize count)
{
    const HfTopWindow *known = NULL;
    for (gsize i = 0; i < count && !known; i++)
        known = tops[i].window ? &tops[i] : NULL;
    for (gsize i = 0; i < count; i++)
        if (known && !tops[i].window)
            tops[i].transform.scale = known->transform.scale;
}

void hf_transform_match_windows(const HfToolkitTraits *toolkit, int pid, const GPtrArray *windows,
                                double scale, HfTopWindow *tops, gsize count)
{
    double used = scale >= 1 ? scale : 1;
    for (gsize i = 0; i < count; i++)
        tops[i].window = 0;
    while (match_next(toolkit, pid, windows, used, tops, count))
        continue;
    match_only(pid, windows, tops, count);
    for (gsize i = 0; i < count; i++) {
        HfTopWindow *top = &tops[i];
        const HfWindow *window = top->window ? hf_windows_find(windows, top->window) : NULL;
        Fit fit = window ? find_fit(toolkit, window, top->extents, used) : (Fit){0};
        top->transform =
            fit.found ? shift_to(&fit, top->extents) : guess_transform(toolkit, window, used);
    }
    place_others(tops, count);
}

gboolean hf_transform_match_popup(GPtrArray *popups, int pid, HfRect extents,
                                  HfTransform *transform)
{
    double scale = transform->scale;
    int most = (int)(ROUNDING * ceil(scale)) - 1;
    for (guint i = 0; i < popups->len && !hf_rect_is_empty(extents); i++) {
        const HfWindow *popup = popups->pdata[i];
        if (popup->pid != pid || ABS(popup->bounds.width - lround(extents.width * scale)) > most ||
            ABS(popup->bounds.height - lround(extents.height * scale)) > most)
            continue;
        transform->x = popup->bounds.x - (int)lround(extents.x * scale);
        transform->y = popup->bounds.y - (int)lround(extents.y * scale);
        g_ptr_array_remove_index(popups, i);
        return TRUE;
    }
    return FALSE;
}

void hf_transform_correct_pane(HfRect top, HfRect pane, HfTransform *transform)
{
    int border = pane.x - top.x;
    int missing = top.y + top.height - border - (pane.y + pane.height);
    if (border < 0 || pane.width + 2 * border != top.width || missing < PANE_LEAST ||
        missing > PANE_MOST)
        return;
    transform->y += (int)lround(missing * transform->scale);
}
