/* SPDX-License-Identifier: Apache-2.0 */
/* Looking costs more the more is looked at: first what the program in front tells, then what its
 * window shows, then everything. The first clear answer ends it. */
#include "hand/locate/seek.h"

#include "hand/atspi/tree/roles.h"
#include "hand/locate/fused.h"
#include "hand/locate/groups.h"
#include "hand/locate/join.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/things.h"
#include "hand/locate/typed.h"
#include "hand/locate/written.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/ocr/text-blocks.h"
#include "hand/safety/call-context.h"

void hf_sought_clear(HfSought *sought)
{
    g_clear_pointer(&sought->pick, hf_pick_free);
    g_clear_pointer(&sought->scene, hf_scene_free);
    g_clear_pointer(&sought->tree, hf_tree_unref);
}

typedef struct Seeking {
    const HfCallContext *context;
    const HfDescription *description;
    const HfSeekScope *scope;
    const HfDeadline *deadline;
    GPtrArray *windows;
    guint32 front;
} Seeking;

/* More can be seen than a scene takes in. */
static gboolean is_crowded(const HfTree *tree)
{
    guint seen = 0;
    for (int i = 0; i < hf_tree_size(tree) && seen <= HF_LIMIT_SCENE_THINGS; i++)
        seen += hf_tree_is_visible(tree, i) ? 1 : 0;
    return seen > HF_LIMIT_SCENE_THINGS;
}

/* Only what was looked at can be told apart: what was cut off may fit better. */
static void note_cut(HfSought *sought)
{
    sought->truncated = hf_tree_get_truncated(sought->tree);
    if (is_crowded(sought->tree))
        sought->truncated |= HF_TRUNCATED_NODES;
    sought->unsure = sought->truncated && sought->pick->confident;
    if (sought->truncated)
        sought->pick->confident = FALSE;
}

/* FALSE, with the error, when the time was over before everything was weighed. */
static gboolean look_in(HfTree *take_tree, const Seeking *seeking, const HfCapture *picture,
                        HfSought *sought, GError **error)
{
    HfSceneScope scope = {.windows = seeking->windows,
                          .front = seeking->front,
                          .picture = picture ? picture->image : NULL,
                          .region = seeking->scope->region};
    if (picture)
        scope.picture_area = picture->area;
    hf_sought_clear(sought);
    sought->tree = take_tree;
    sought->scene = hf_scene_new(take_tree, &scope);
    sought->scene->deadline = seeking->deadline;
    sought->pick = hf_scene_pick(sought->scene, seeking->description);
    sought->scene->deadline = NULL;
    note_cut(sought);
    return hf_deadline_check(seeking->deadline, error);
}

static int reading_ms(const Seeking *seeking)
{
    int most = (int)MAX(1, hf_deadline_left_ms(seeking->deadline) / 2);
    int wanted = seeking->scope->access.max_ms;
    return wanted > 0 ? MIN(wanted, most) : most;
}

/* One look; FALSE, with the error, only when it could not be taken. */
static gboolean look(const Seeking *seeking, guint32 window, HfFusedPixels pixels, HfSought *sought,
                     GError **error)
{
    HfFusedScope scope = {.access = seeking->scope->access, .pixels = HF_PIXELS_NEVER};
    if (window)
        scope.access.window = window;
    scope.access.include_text = TRUE;
    scope.access.include_identifiers = TRUE;
    scope.access.max_ms = reading_ms(seeking);
    HfTree *told = hf_fused_read(seeking->context, &scope, seeking->deadline, error);
    if (!told)
        return FALSE;
    if (!look_in(told, seeking, NULL, sought, error))
        return FALSE;
    if (sought->pick->confident || pixels == HF_PIXELS_NEVER)
        return TRUE;
    HfCaptureRequest request = {.window = scope.access.window};
    hf_fused_await_paint(hf_call_context_desktop(seeking->context), request.window, told,
                         seeking->deadline);
    g_autoptr(HfCapture) picture =
        hf_screen_capture(seeking->context, &request, seeking->deadline, NULL);
    scope.picture = picture;
    scope.pixels = pixels;
    scope.read_ms = HF_SEEK_READ_MS;
    HfTree *seen = hf_fused_complete(seeking->context, &scope, told, seeking->deadline, error);
    if (!seen)
        return FALSE;
    return look_in(seen, seeking, picture, sought, error);
}

static double best_of(const HfSought *sought)
{
    const GArray *found = sought->pick ? sought->pick->found : NULL;
    return found && found->len > 0 ? g_array_index(found, HfPicked, 0).confidence : 0;
}

/* What is in front is meant, unless something elsewhere fits much better. */
#define MUCH_BETTER 0.15

static gboolean seek_everywhere(const Seeking *seeking, HfSought *front, GError **error)
{
    g_auto(HfSought) all = {0};
    if (!look(seeking, 0, HF_PIXELS_ALWAYS, &all, front->pick ? NULL : error))
        return front->pick != NULL;
    if (front->pick && best_of(&all) < best_of(front) + MUCH_BETTER)
        return TRUE;
    hf_sought_clear(front);
    *front = all;
    front->everywhere = TRUE;
    all = (HfSought){0};
    return TRUE;
}

gboolean hf_seek(const HfCallContext *context, const HfDescription *description,
                 const HfSeekScope *scope, const HfDeadline *deadline, HfSought *ret_sought,
                 GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(context), NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    Seeking seeking = {context, description, scope, deadline, windows, focused ? focused->id : 0};
    g_auto(HfSought) sought = {0};
    if (scope->access.window)
        seeking.front = scope->access.window;
    if (!scope->front_first) {
        if (!look(&seeking, 0, HF_PIXELS_ALWAYS, &sought, error))
            return FALSE;
    } else {
        if (seeking.front && !look(&seeking, seeking.front, HF_PIXELS_ALWAYS, &sought, NULL))
            hf_sought_clear(&sought);
        gboolean clear = sought.pick && sought.pick->confident;
        if (!clear && !seek_everywhere(&seeking, &sought, error))
            return FALSE;
    }
    *ret_sought = sought;
    sought = (HfSought){0};
    return TRUE;
}

/* ---- on a picture ---- */

/* As if the picture were all of a window. */
#define PICTURE_WINDOW 1

static HfTree *join_seen(const HfOcrPage *page, GArray *seen)
{
    g_autoptr(HfTree) nothing = hf_tree_new();
    g_autoptr(GPtrArray) windows = g_ptr_array_new();
    HfRect all = {0, 0, page->size.width, page->size.height};
    HfWindow whole = {.id = PICTURE_WINDOW,
                      .title = "",
                      .class_name = "picture",
                      .bounds = all,
                      .frame = all,
                      .visible = TRUE};
    hf_tree_finish(nothing);
    g_ptr_array_add(windows, &whole);
    for (guint i = 0; i < seen->len; i++)
        g_array_index(seen, HfSeen, i).window = PICTURE_WINDOW;
    gboolean partly = page->cut || hf_ocr_page_count_unread(page) > 0;
    return hf_join(nothing, windows, seen, partly ? HF_TRUNCATED_TIME : 0);
}

static HfTree *tree_of_page(const HfOcrPage *page, const HfImage *image)
{
    g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(HfSeen));
    g_autoptr(GArray) unread = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_autoptr(GArray) shapes = hf_shapes_find(image);
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    g_auto(HfThings) things = {0};
    HfRect all = {0, 0, page->size.width, page->size.height};
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        if (!line->text)
            g_array_append_val(unread, line->box);
        else if (hf_ocr_page_line_is_text(line))
            hf_written_add(texts, kept, line, all);
    }
    HfTypedScope typed = {all, FALSE, image, all};
    hf_typed_find(texts, kept, &typed);
    hf_things_init(&things, texts, shapes, unread);
    hf_groups_find(&things, image, all, all);
    return join_seen(page, things.seen);
}

gboolean hf_seek_on_image(const HfImage *image, const HfDescription *description, HfRect region,
                          const HfDeadline *deadline, HfSought *ret_sought, GError **error)
{
    g_autoptr(HfOcrPage) page = hf_ocr_page_new_from_caller(image, HF_LANGUAGE_AUTO);
    HfDeadline until =
        hf_deadline_within_ms(deadline, MAX(1, hf_deadline_left_ms(deadline) * 3 / 4));
    if (!hf_ocr_page_read(page, &until, error))
        return FALSE;
    HfSeekScope scope = {.region = region};
    Seeking seeking = {.description = description, .scope = &scope, .deadline = deadline};
    HfCapture picture = {.image = (HfImage *)image, .area = {0, 0, image->width, image->height}};
    return look_in(tree_of_page(page, image), &seeking, &picture, ret_sought, error);
}
