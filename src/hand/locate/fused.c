/* SPDX-License-Identifier: Apache-2.0 */
/* Looking: which windows, which parts of them, what is there, and what of it must be read. */
#include "hand/locate/fused.h"

#include "hand/desktop/new-windows.h"
#include "hand/desktop/windows.h"
#include "hand/locate/groups.h"
#include "hand/locate/join.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/page-eye.h"
#include "hand/locate/sight.h"
#include "hand/locate/things.h"
#include "hand/locate/told.h"
#include "hand/locate/typed.h"
#include "hand/locate/views.h"
#include "hand/locate/written.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/ocr/text-blocks.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

typedef struct Looking {
    const HfCallContext *context;
    const HfFusedScope *scope;
    const HfDeadline *deadline;
    HfTree *told;
    HfViews views;
    HfCapture *own;
    const HfCapture *picture;
    HfSight *sight;
    HfOcrPage *page;
    GArray *seen;    /* of HfSeen */
    GPtrArray *kept; /* what they point to */
    HfTruncation truncated;
} Looking;

static void looking_clear(Looking *looking)
{
    hf_views_clear(&looking->views);
    g_clear_pointer(&looking->own, hf_capture_free);
    g_clear_pointer(&looking->sight, hf_sight_unref);
    g_clear_pointer(&looking->page, hf_ocr_page_free);
    g_clear_pointer(&looking->seen, g_array_unref);
    g_clear_pointer(&looking->kept, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Looking, looking_clear)

/* ---- what stands there ---- */

static HfPoint middle_of(HfRect rect)
{
    return (HfPoint){rect.x + rect.width / 2, rect.y + rect.height / 2};
}

static gboolean is_all_told(const HfTree *told, guint32 window)
{
    static const HfRect anywhere = {-HF_LIMIT_SCREEN_EDGE, -HF_LIMIT_SCREEN_EDGE,
                                    3 * HF_LIMIT_SCREEN_EDGE, 3 * HF_LIMIT_SCREEN_EDGE};
    g_autoptr(GArray) blind = hf_told_blind(told, window, anywhere);
    return blind->len == 0;
}

void hf_fused_await_paint(HfDesktop *desktop, guint32 window, const HfTree *told,
                          const HfDeadline *deadline)
{
    if (window && hf_new_windows_has(desktop, window) && !is_all_told(told, window))
        hf_new_windows_await_paint(desktop, window, deadline);
}

static gboolean take_picture(Looking *looking)
{
    HfCaptureRequest request = {.window = looking->scope->access.window};
    looking->picture = looking->scope->picture;
    if (!looking->picture || !looking->picture->image) {
        hf_fused_await_paint(hf_call_context_desktop(looking->context), request.window,
                             looking->told, looking->deadline);
        looking->own = hf_screen_capture(looking->context, &request, looking->deadline, NULL);
        looking->picture = looking->own;
    }
    return looking->picture && looking->picture->image;
}

static HfRect on_screen(const Looking *looking, HfRect box)
{
    box.x += looking->picture->area.x;
    box.y += looking->picture->area.y;
    return box;
}

/* Rows that nobody tells of, in parts that are looked at. */
static GArray *choose_rows(const Looking *looking)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < looking->sight->rows->len; i++) {
        HfRect row = g_array_index(looking->sight->rows, HfRect, i);
        HfRect place = on_screen(looking, row);
        const HfView *view = hf_views_at(&looking->views, middle_of(place));
        int index;
        if (!view || hf_told_at(looking->told, view->window->id, place, &index) == HF_TOLD_ALL)
            continue;
        HfRect inside = hf_rect_intersect(place, view->window->bounds); /* without its frame */
        row = (HfRect){row.x + inside.x - place.x, row.y + inside.y - place.y, inside.width,
                       inside.height};
        g_array_append_val(chosen, row);
    }
    return chosen;
}

/* An engine that cannot be had is no error: what programs tell is still there. */
static gboolean read_rows(Looking *looking, GError **error)
{
    int most = looking->scope->read_ms ? looking->scope->read_ms : HF_FUSED_READ_MS;
    HfDeadline until = hf_deadline_within_ms(
        looking->deadline,
        MIN((gint64)most, MAX(1, hf_deadline_left_ms(looking->deadline) * 3 / 4)));
    g_autoptr(GArray) rows = choose_rows(looking);
    looking->page = hf_ocr_page_new_from_rows(looking->picture->image, HF_LANGUAGE_AUTO, rows);
    hf_ocr_page_read(looking->page, &until, NULL);
    if (looking->sight->cut || hf_ocr_page_count_unread(looking->page) > 0)
        looking->truncated |= HF_TRUNCATED_TIME;
    return hf_deadline_check(looking->deadline, error);
}

/* ---- what it is ---- */

/* The lines of a window that were read; what nobody has read yet goes to `unread`. */
static void note_lines(Looking *looking, const HfView *view, GArray *texts, GArray *unread)
{
    for (guint i = 0; i < looking->page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(looking->page->lines, HfOcrPageLine, i);
        HfRect box = on_screen(looking, line->box);
        if (hf_views_at(&looking->views, middle_of(box)) != view)
            continue;
        if (!line->text)
            g_array_append_val(unread, box);
        else if (hf_ocr_page_line_is_text(line))
            hf_written_add(texts, looking->kept, line, looking->picture->area);
    }
}

/* A bar across the window is no button, whatever it looks like. */
static gboolean is_bar(HfRect box, HfRect window)
{
    return box.width * 20 >= window.width * 19;
}

static GArray *choose_shapes(const Looking *looking, const HfView *view)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(HfShape));
    for (guint i = 0; i < looking->sight->shapes->len; i++) {
        HfShape shape = g_array_index(looking->sight->shapes, HfShape, i);
        shape.box = on_screen(looking, shape.box);
        if (hf_views_at(&looking->views, middle_of(shape.box)) == view &&
            !is_bar(shape.box, view->window->bounds))
            g_array_append_val(chosen, shape);
    }
    return chosen;
}

static void note_window(Looking *looking, const HfView *view)
{
    g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(HfSeen));
    g_autoptr(GArray) unread = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_autoptr(GArray) shapes = choose_shapes(looking, view);
    g_auto(HfThings) things = {0};
    HfTypedScope typed = {view->window->bounds,
                          hf_typed_is_terminal(view->window->class_name, view->window->process),
                          looking->picture->image, looking->picture->area};
    note_lines(looking, view, texts, unread);
    hf_typed_find(texts, looking->kept, &typed);
    hf_things_init(&things, texts, shapes, unread);
    hf_groups_find(&things, looking->picture->image, looking->picture->area, view->window->bounds);
    int before = (int)looking->seen->len;
    for (guint i = 0; i < things.seen->len; i++) {
        HfSeen *seen = &g_array_index(things.seen, HfSeen, i);
        seen->window = view->window->id;
        seen->holder += seen->holder ? before : 0;
        g_array_append_val(looking->seen, *seen);
    }
    g_ptr_array_extend_and_steal(looking->kept, g_steal_pointer(&things.kept));
}

/* ---- all together ---- */

static HfTree *join(Looking *looking)
{
    g_autoptr(GPtrArray) shown = g_ptr_array_new();
    for (guint i = 0; i < looking->views.list->len; i++)
        g_ptr_array_add(shown, g_array_index(looking->views.list, HfView, i).window);
    return hf_join(looking->told, shown, looking->seen, looking->truncated);
}

HfTree *hf_fused_complete(const HfCallContext *context, const HfFusedScope *scope, HfTree *told,
                          const HfDeadline *deadline, GError **error)
{
    g_auto(Looking) looking = {context, scope, deadline, told};
    if (scope->pixels == HF_PIXELS_NEVER || !hf_views_find(&looking.views, context, scope, told) ||
        !take_picture(&looking))
        return hf_deadline_check(deadline, error) ? hf_tree_ref(told) : NULL;
    looking.sight = hf_sight_new(looking.picture->image);
    looking.seen = g_array_new(FALSE, FALSE, sizeof(HfSeen));
    looking.kept = g_ptr_array_new_with_free_func(g_free);
    if (!read_rows(&looking, error))
        return NULL;
    for (guint i = 0; i < looking.views.list->len; i++)
        note_window(&looking, &g_array_index(looking.views.list, HfView, i));
    return join(&looking);
}

static HfTree *empty_tree(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_finish(tree);
    return tree;
}

HfTree *hf_fused_read(const HfCallContext *context, const HfFusedScope *scope,
                      const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfTree) told = hf_tree_read(context, &scope->access, deadline, &problem);
    if (!told && hf_error_code(problem) == HF_ERROR_UNSUPPORTED)
        told = empty_tree();
    if (!told) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    g_autoptr(HfTree) known =
        hf_page_eye_join(context, scope->access.window, scope->access.pid, told, deadline);
    return hf_fused_complete(context, scope, known, deadline, error);
}
