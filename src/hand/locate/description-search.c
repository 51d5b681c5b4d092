/* SPDX-License-Identifier: Apache-2.0 */
/* The more is looked at, the more it costs: first what the front program reports, then what its
 * window shows, then everything. The first clear answer ends the search. */
#include "hand/locate/description-search.h"

#include "hand/locate/fused-tree.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/tree-merge.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/widgets/terminal-widgets.h"
#include "hand/pixels/widgets/widget-groups.h"
#include "hand/pixels/widgets/widgets.h"
#include "hand/safety/call-context.h"
#include "shared/base/limits.h"

/* The front window is meant, unless something elsewhere scores so much better. */
#define MUCH_BETTER 0.15
/* A given picture is treated as one window. */
#define PICTURE_WINDOW 1

void hf_description_search_clear(HfDescriptionSearch *search)
{
    g_clear_pointer(&search->match, hf_description_match_free);
    g_clear_pointer(&search->scene, hf_scene_free);
    g_clear_pointer(&search->tree, hf_tree_unref);
}

typedef struct SearchContext {
    const HfCallContext *call;
    const HfDescription *description;
    const HfDescriptionScope *scope;
    const HfDeadline *deadline;
    GPtrArray *windows;
    guint32 front;
} SearchContext;

/* FALSE, with the error, when the time was over before everything was matched. */
static gboolean match_in_tree(HfTree *take_tree, const SearchContext *context,
                              const HfCapture *picture, HfDescriptionSearch *search, GError **error)
{
    HfSceneScope scope = {.windows = context->windows,
                          .front = context->front,
                          .picture = picture ? picture->image : NULL,
                          .region = context->scope->region};
    if (picture)
        scope.picture_area = picture->area;
    hf_description_search_clear(search);
    search->tree = take_tree;
    search->scene = hf_scene_new(take_tree, &scope);
    search->scene->deadline = context->deadline;
    search->match = hf_description_match(search->scene, context->description);
    search->scene->deadline = NULL;
    search->truncated = hf_tree_get_truncated(take_tree);
    if (search->scene->cut)
        search->truncated |= HF_TRUNCATED_NODES;
    search->unsure = search->truncated && search->match->confident; /* the rest may fit better */
    search->match->confident &= !search->truncated;
    return hf_deadline_check(context->deadline, error);
}

/* In one window, or everywhere (0); FALSE, with the error, only when it could not be looked at. */
static gboolean search_window(const SearchContext *context, guint32 window,
                              HfDescriptionSearch *search, GError **error)
{
    HfFusedScope scope = {.access = context->scope->access, .pixels = HF_PIXELS_NEVER};
    int most = (int)MAX(1, hf_deadline_left_ms(context->deadline) / 2);
    if (window)
        scope.access.window = window;
    scope.access.include_text = TRUE;
    scope.access.include_identifiers = TRUE;
    scope.access.max_ms = scope.access.max_ms > 0 ? MIN(scope.access.max_ms, most) : most;
    HfTree *reported = hf_fused_tree_read(context->call, &scope, context->deadline, error);
    if (!reported || !match_in_tree(reported, context, NULL, search, error))
        return FALSE;
    if (search->match->confident)
        return TRUE;
    HfCaptureRequest request = {.window = scope.access.window};
    hf_fused_tree_await_first_paint(hf_call_context_desktop(context->call), request.window,
                                    reported, context->deadline);
    g_autoptr(HfCapture) picture =
        hf_screen_capture(context->call, &request, context->deadline, NULL);
    scope.picture = picture;
    scope.pixels = HF_PIXELS_ALWAYS;
    scope.read_ms = HF_SEARCH_READ_MS;
    HfTree *seen =
        hf_fused_tree_add_pixels(context->call, &scope, reported, context->deadline, error);
    return seen && match_in_tree(seen, context, picture, search, error);
}

static double best_score_of(const HfDescriptionSearch *search)
{
    const GArray *found = search->match ? search->match->found : NULL;
    return found && found->len > 0 ? g_array_index(found, HfCandidateElement, 0).match.score : 0;
}

static gboolean search_everywhere(const SearchContext *context, HfDescriptionSearch *front,
                                  GError **error)
{
    g_auto(HfDescriptionSearch) all = {0};
    if (!search_window(context, 0, &all, front->match ? NULL : error))
        return front->match != NULL;
    if (front->match && best_score_of(&all) < best_score_of(front) + MUCH_BETTER)
        return TRUE;
    hf_description_search_clear(front);
    *front = all;
    all = (HfDescriptionSearch){0};
    return TRUE;
}

gboolean hf_description_search(const HfCallContext *call, const HfDescription *description,
                               const HfDescriptionScope *scope, const HfDeadline *deadline,
                               HfDescriptionSearch *ret_search, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(call), NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    SearchContext context = {call,     description, scope,
                             deadline, windows,     focused ? focused->id : 0};
    g_auto(HfDescriptionSearch) search = {0};
    if (scope->access.window)
        context.front = scope->access.window;
    if (scope->front_first && context.front &&
        !search_window(&context, context.front, &search, NULL))
        hf_description_search_clear(&search);
    gboolean clear = search.match && search.match->confident;
    if (!clear && !search_everywhere(&context, &search, error))
        return FALSE;
    *ret_search = search;
    search = (HfDescriptionSearch){0};
    return TRUE;
}

/* ---- in a picture ---- */

static HfTree *merge_into_picture_tree(const HfOcrPage *page, GArray *detected)
{
    g_autoptr(HfTree) empty = hf_tree_new();
    g_autoptr(GPtrArray) windows = g_ptr_array_new();
    HfRect all = {0, 0, page->size.width, page->size.height};
    HfWindow whole = {.id = PICTURE_WINDOW,
                      .title = "",
                      .class_name = "picture",
                      .bounds = all,
                      .frame = all,
                      .visible = TRUE};
    hf_tree_finish(empty);
    g_ptr_array_add(windows, &whole);
    for (guint i = 0; i < detected->len; i++)
        g_array_index(detected, HfDetection, i).window = PICTURE_WINDOW;
    gboolean partly = page->cut || hf_ocr_page_count_unread(page) > 0;
    return hf_tree_merge_detected(empty, windows, detected, partly ? HF_TRUNCATED_TIME : 0);
}

static HfTree *detect_in_picture(const HfOcrPage *page, const HfImage *image)
{
    g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(HfDetection));
    g_autoptr(GArray) unread = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_autoptr(GArray) shapes = hf_shapes_find(image);
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    g_auto(HfWidgets) widgets = {0};
    HfRect all = {0, 0, page->size.width, page->size.height};
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        if (!line->text)
            g_array_append_val(unread, line->box);
        else if (hf_ocr_page_line_is_text(line))
            hf_ocr_line_add(texts, kept, line, all);
    }
    HfTerminalScope terminal = {all, FALSE, image, all};
    hf_terminal_widgets_find(texts, kept, &terminal);
    hf_widgets_init(&widgets, texts, shapes, unread);
    hf_widget_groups_find(&widgets, image, all, all);
    return merge_into_picture_tree(page, widgets.detected);
}

gboolean hf_description_search_image(const HfImage *image, const HfDescription *description,
                                     HfRect region, const HfDeadline *deadline,
                                     HfDescriptionSearch *ret_search, GError **error)
{
    g_autoptr(HfOcrPage) page = hf_ocr_page_new_from_caller(image, HF_LANGUAGE_AUTO);
    HfDeadline until =
        hf_deadline_within_ms(deadline, MAX(1, hf_deadline_left_ms(deadline) * 3 / 4));
    if (!hf_ocr_page_read(page, &until, error))
        return FALSE;
    HfDescriptionScope scope = {.region = region};
    SearchContext context = {.description = description, .scope = &scope, .deadline = deadline};
    HfCapture picture = {.image = (HfImage *)image, .area = {0, 0, image->width, image->height}};
    return match_in_tree(detect_in_picture(page, image), &context, &picture, ret_search, error);
}
