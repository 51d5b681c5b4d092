/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over the picture: choose what to look at, read its text, detect widgets, merge. Of a
 * window whose program reports its elements, only what it paints besides is looked at; of a window
 * that may not be seen, nothing. */
#include "hand/locate/fused-tree.h"

#include "hand/desktop/new-windows.h"
#include "hand/desktop/windows.h"
#include "hand/locate/ax-coverage.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/page-provider.h"
#include "hand/locate/tree-merge.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/widgets/picture-shapes.h"
#include "hand/pixels/widgets/terminal-widgets.h"
#include "hand/pixels/widgets/widget-groups.h"
#include "hand/pixels/widgets/widgets.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/image/rects.h"

/* ---- uncovered areas ---- */

/* A window with the parts whose picture shows more than its program reports. */
typedef struct UncoveredWindow {
    HfWindow *window; /* of UncoveredAreas.windows */
    GArray *areas;    /* of HfRect */
} UncoveredWindow;

typedef struct UncoveredAreas {
    guint32 only;       /* the picture shows this window; 0: the screen */
    GPtrArray *windows; /* all, topmost first */
    GArray *list;       /* of UncoveredWindow */
} UncoveredAreas;

/* What the owner keeps private is never read. */
static void subtract_private_areas(const HfCallContext *context, GArray *areas,
                                   const HfWindow *window)
{
    const HfPrivacyList *private = hf_fence_get_privacy_list(context);
    g_autoptr(GArray) covered = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (!private || areas->len == 0)
        return;
    hf_privacy_list_add_places(private, covered);
    if (hf_privacy_list_add_window(private, window, covered))
        g_array_set_size(areas, 0);
    for (guint i = 0; i < covered->len; i++)
        hf_rects_subtract(areas, g_array_index(covered, HfRect, i));
}

static GArray *uncovered_areas_of(const HfCallContext *context, const HfFusedScope *scope,
                                  const HfTree *reported, const HfWindow *window)
{
    GArray *areas = scope->pixels == HF_PIXELS_AUTO
                        ? hf_ax_coverage_gaps(reported, window->id, window->bounds)
                        : g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (scope->pixels != HF_PIXELS_AUTO)
        g_array_append_val(areas, window->bounds);
    subtract_private_areas(context, areas, window);
    return areas;
}

static void clear_uncovered_window(gpointer window_areas)
{
    g_array_unref(((UncoveredWindow *)window_areas)->areas);
}

/* FALSE: everything is reported, or may not be seen. */
static gboolean find_uncovered_areas(UncoveredAreas *uncovered, const HfCallContext *context,
                                     const HfFusedScope *scope, const HfTree *reported)
{
    *uncovered =
        (UncoveredAreas){scope->access.window,
                         scope->windows ? g_ptr_array_ref(scope->windows)
                                        : hf_windows_list(hf_call_context_desktop(context), NULL),
                         g_array_new(FALSE, FALSE, sizeof(UncoveredWindow))};
    g_array_set_clear_func(uncovered->list, clear_uncovered_window);
    for (guint i = 0; uncovered->windows && i < uncovered->windows->len; i++) {
        HfWindow *window = uncovered->windows->pdata[i];
        const HfTreeScope *access = &scope->access;
        gboolean wanted = access->window ? window->id == access->window
                                         : access->pid == 0 || window->pid == access->pid;
        if (!wanted || !window->visible || window->minimized || window->kind == HF_WINDOW_DESKTOP ||
            hf_fence_blocks(context, window))
            continue;
        UncoveredWindow window_areas = {window,
                                        uncovered_areas_of(context, scope, reported, window)};
        if (window_areas.areas->len > 0)
            g_array_append_val(uncovered->list, window_areas);
        else
            clear_uncovered_window(&window_areas);
    }
    return uncovered->list->len > 0;
}

/* The topmost window at a point; in a picture of one window, that window. */
static guint32 window_showing_at(const UncoveredAreas *uncovered, HfPoint point)
{
    if (uncovered->only)
        return uncovered->only;
    for (guint i = 0; i < uncovered->windows->len; i++) {
        const HfWindow *window = uncovered->windows->pdata[i];
        if (window->visible && !window->minimized && hf_rect_contains(window->frame, point))
            return window->id;
    }
    return 0;
}

/* The window that shows an uncovered area at a point of the screen; NULL: none does. */
static const UncoveredWindow *uncovered_window_at(const UncoveredAreas *uncovered, HfPoint point)
{
    guint32 window = window_showing_at(uncovered, point);
    for (guint i = 0; i < uncovered->list->len; i++) {
        const UncoveredWindow *window_areas = &g_array_index(uncovered->list, UncoveredWindow, i);
        if (window_areas->window->id != window)
            continue;
        for (guint k = 0; k < window_areas->areas->len; k++)
            if (hf_rect_contains(g_array_index(window_areas->areas, HfRect, k), point))
                return window_areas;
    }
    return NULL;
}

/* ---- the pass ---- */

typedef struct PixelPass {
    const HfCallContext *context;
    const HfFusedScope *scope;
    const HfDeadline *deadline;
    HfTree *reported;
    UncoveredAreas uncovered;
    HfCapture *own;
    const HfCapture *picture;
    HfPictureShapes *detection;
    HfOcrPage *page;
    GArray *detected; /* of HfDetection */
    GPtrArray *kept;  /* the memory that they point to */
    HfTruncation truncated;
} PixelPass;

static void pixel_pass_clear(PixelPass *pass)
{
    g_clear_pointer(&pass->uncovered.windows, g_ptr_array_unref);
    g_clear_pointer(&pass->uncovered.list, g_array_unref);
    g_clear_pointer(&pass->own, hf_capture_free);
    g_clear_pointer(&pass->detection, hf_picture_shapes_unref);
    g_clear_pointer(&pass->page, hf_ocr_page_free);
    g_clear_pointer(&pass->detected, g_array_unref);
    g_clear_pointer(&pass->kept, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PixelPass, pixel_pass_clear)

/* ---- picture and text ---- */

void hf_fused_tree_await_first_paint(HfDesktop *desktop, guint32 window, const HfTree *reported,
                                     const HfDeadline *deadline)
{
    static const HfRect anywhere = {-HF_LIMIT_SCREEN_EDGE, -HF_LIMIT_SCREEN_EDGE,
                                    3 * HF_LIMIT_SCREEN_EDGE, 3 * HF_LIMIT_SCREEN_EDGE};
    if (!window || !hf_new_windows_has(desktop, window))
        return;
    g_autoptr(GArray) gaps = hf_ax_coverage_gaps(reported, window, anywhere);
    if (gaps->len > 0)
        hf_new_windows_await_paint(desktop, window, deadline);
}

static gboolean ensure_picture(PixelPass *pass)
{
    HfCaptureRequest request = {.window = pass->scope->access.window};
    pass->picture = pass->scope->picture;
    if (!pass->picture || !pass->picture->image) {
        hf_fused_tree_await_first_paint(hf_call_context_desktop(pass->context), request.window,
                                        pass->reported, pass->deadline);
        pass->own = hf_screen_capture(pass->context, &request, pass->deadline, NULL);
        pass->picture = pass->own;
    }
    return pass->picture && pass->picture->image;
}

static HfRect to_screen(const PixelPass *pass, HfRect box)
{
    box.x += pass->picture->area.x;
    box.y += pass->picture->area.y;
    return box;
}

/* Rows of text that no program reports, in uncovered areas. */
static GArray *choose_text_rows(const PixelPass *pass)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < pass->detection->rows->len; i++) {
        HfRect row = g_array_index(pass->detection->rows, HfRect, i);
        HfRect place = to_screen(pass, row);
        const UncoveredWindow *window_areas =
            uncovered_window_at(&pass->uncovered, hf_rect_middle(place));
        int index;
        if (!window_areas || hf_ax_coverage_at(pass->reported, window_areas->window->id, place,
                                               &index) == HF_AX_COVERAGE_FULL)
            continue;
        HfRect inside =
            hf_rect_intersect(place, window_areas->window->bounds); /* without its frame */
        row = (HfRect){row.x + inside.x - place.x, row.y + inside.y - place.y, inside.width,
                       inside.height};
        g_array_append_val(chosen, row);
    }
    return chosen;
}

/* A missing OCR engine is not an error: what programs report is still there. */
static gboolean read_text_rows(PixelPass *pass, GError **error)
{
    int most = pass->scope->read_ms ? pass->scope->read_ms : HF_FUSED_READ_MS;
    HfDeadline until = hf_deadline_within_ms(
        pass->deadline, MIN((gint64)most, MAX(1, hf_deadline_left_ms(pass->deadline) * 3 / 4)));
    g_autoptr(GArray) rows = choose_text_rows(pass);
    pass->page = hf_ocr_page_new_from_rows(pass->picture->image, HF_LANGUAGE_AUTO, rows);
    hf_ocr_page_read(pass->page, &until, NULL);
    if (pass->detection->cut || hf_ocr_page_count_unread(pass->page) > 0)
        pass->truncated |= HF_TRUNCATED_TIME;
    return hf_deadline_check(pass->deadline, error);
}

/* ---- widgets ---- */

/* The lines of a window; those that were not read yet go to `unread`. */
static void collect_ocr_lines(PixelPass *pass, const UncoveredWindow *window_areas, GArray *texts,
                              GArray *unread)
{
    for (guint i = 0; i < pass->page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(pass->page->lines, HfOcrPageLine, i);
        HfRect box = to_screen(pass, line->box);
        if (uncovered_window_at(&pass->uncovered, hf_rect_middle(box)) != window_areas)
            continue;
        if (!line->text)
            g_array_append_val(unread, box);
        else if (hf_ocr_page_line_is_text(line))
            hf_ocr_line_add(texts, pass->kept, line, pass->picture->area);
    }
}

/* A shape across the whole window is not a button. */
static GArray *choose_window_shapes(const PixelPass *pass, const UncoveredWindow *window_areas)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(HfShape));
    for (guint i = 0; i < pass->detection->shapes->len; i++) {
        HfShape shape = g_array_index(pass->detection->shapes, HfShape, i);
        shape.box = to_screen(pass, shape.box);
        if (uncovered_window_at(&pass->uncovered, hf_rect_middle(shape.box)) == window_areas &&
            shape.box.width * 20 < window_areas->window->bounds.width * 19)
            g_array_append_val(chosen, shape);
    }
    return chosen;
}

static void detect_in_window(PixelPass *pass, const UncoveredWindow *window_areas)
{
    g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    g_autoptr(GArray) unread = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_autoptr(GArray) shapes = choose_window_shapes(pass, window_areas);
    g_auto(HfWidgets) widgets = {0};
    HfTerminalScope typed = {
        window_areas->window->bounds,
        hf_window_is_terminal(window_areas->window->class_name, window_areas->window->process),
        pass->picture->image, pass->picture->area};
    collect_ocr_lines(pass, window_areas, texts, unread);
    hf_terminal_widgets_find(texts, pass->kept, &typed);
    hf_widgets_init(&widgets, texts, shapes, unread);
    hf_widget_groups_find(&widgets, pass->picture->image, pass->picture->area,
                          window_areas->window->bounds);
    int before = (int)pass->detected->len;
    for (guint i = 0; i < widgets.detected->len; i++) {
        HfDetection *element = &g_array_index(widgets.detected, HfDetection, i);
        element->window = window_areas->window->id;
        element->holder += element->holder ? before : 0;
        g_array_append_val(pass->detected, *element);
    }
    g_ptr_array_extend_and_steal(pass->kept, g_steal_pointer(&widgets.kept));
}

/* ---- the whole pass ---- */

HfTree *hf_fused_tree_add_pixels(const HfCallContext *context, const HfFusedScope *scope,
                                 HfTree *reported, const HfDeadline *deadline, GError **error)
{
    g_auto(PixelPass) pass = {context, scope, deadline, reported};
    if (scope->pixels == HF_PIXELS_NEVER ||
        !find_uncovered_areas(&pass.uncovered, context, scope, reported) || !ensure_picture(&pass))
        return hf_deadline_check(deadline, error) ? hf_tree_ref(reported) : NULL;
    pass.detection = hf_picture_shapes_new(pass.picture->image);
    pass.detected = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    pass.kept = g_ptr_array_new_with_free_func(g_free);
    if (!read_text_rows(&pass, error))
        return NULL;
    for (guint i = 0; i < pass.uncovered.list->len; i++)
        detect_in_window(&pass, &g_array_index(pass.uncovered.list, UncoveredWindow, i));
    g_autoptr(GPtrArray) shown = g_ptr_array_new();
    for (guint i = 0; i < pass.uncovered.list->len; i++)
        g_ptr_array_add(shown, g_array_index(pass.uncovered.list, UncoveredWindow, i).window);
    return hf_tree_merge_detected(reported, shown, pass.detected, pass.truncated);
}

HfTree *hf_fused_tree_read(const HfCallContext *context, const HfFusedScope *scope,
                           const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfTree) reported = hf_tree_read(context, &scope->access, deadline, &problem);
    if (!reported && hf_error_code(problem) == HF_ERROR_UNSUPPORTED) {
        reported = hf_tree_new();
        hf_tree_finish(reported);
    }
    if (!reported) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    g_autoptr(HfTree) known = hf_page_provider_merge(context, scope->access.window,
                                                     scope->access.pid, reported, deadline);
    return hf_fused_tree_add_pixels(context, scope, known, deadline, error);
}
