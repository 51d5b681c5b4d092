/* SPDX-License-Identifier: Apache-2.0 */
/* Asks every frame before anything is done: an action on one of several matches cannot be undone.
 */
#include "hand/browser/page/page-frame-choice.h"

#include "shared/base/error.h"

/* Time limit for a frame other than the page itself: one that hangs, such as an advertisement, must
 * not block the page. */
#define FRAME_MS 300
/* Time limit for all of them together. */
#define FRAMES_MS      1000
#define MAX_CANDIDATES 10

/* The matches in one frame. */
typedef struct Part {
    HfPageFrame *frame;
    json_t *reply; /* {found, shown, path, candidates}; see data/page.js */
} Part;

static void frame_count_free(gpointer data)
{
    Part *part = data;
    hf_page_frame_free(part->frame);
    json_decref(part->reply);
    g_free(part);
}

void hf_page_frame_choice_clear(HfPageFrameChoice *choice)
{
    g_clear_pointer(&choice->frame, hf_page_frame_free);
    g_clear_pointer(&choice->candidates, json_decref);
}

/* Frames of other processes are listed separately; their paths bring all into page order, each
 * frame before those inside it. */
static gint compare_frame_counts(gconstpointer one, gconstpointer other)
{
    const json_t *a = json_object_get((*(Part *const *)one)->reply, "path");
    const json_t *b = json_object_get((*(Part *const *)other)->reply, "path");
    size_t common = MIN(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < common; i++) {
        json_int_t left = json_integer_value(json_array_get(a, i));
        json_int_t right = json_integer_value(json_array_get(b, i));
        if (left != right)
            return left < right ? -1 : 1;
    }
    return (gint)json_array_size(a) - (gint)json_array_size(b);
}

static GPtrArray *count_in_frames(const HfTabConnection *page, const HfPageRequest *request,
                                  GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(page, error);
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(frame_count_free);
    HfDeadline all = hf_deadline_within_ms(page->deadline, FRAMES_MS);
    for (guint i = 0; frames && i < frames->len; i++) {
        HfDeadline soon = hf_deadline_within_ms(&all, FRAME_MS);
        HfTabConnection connection = {page->cdp, page->tab, i == 0 ? page->deadline : &soon};
        g_autoptr(json_t) reply =
            hf_page_frame_ask(&connection, frames->pdata[i], "count",
                              json_pack("{s:O}", "query", request->query), i == 0 ? error : NULL);
        if (!reply && i == 0)
            return NULL;
        if (hf_json_int(reply, "found", 0) == 0)
            continue;
        Part *part = g_new0(Part, 1);
        *part = (Part){g_steal_pointer(&frames->pdata[i]), g_steal_pointer(&reply)};
        g_ptr_array_add(parts, part);
    }
    if (!frames)
        return NULL;
    g_ptr_array_sort(parts, compare_frame_counts);
    return g_steal_pointer(&parts);
}

static guint sum_counts(const GPtrArray *parts, const char *member)
{
    guint sum = 0;
    for (guint i = 0; i < parts->len; i++)
        sum += (guint)hf_json_int(((const Part *)parts->pdata[i])->reply, member, 0);
    return sum;
}

static json_t *join_candidates(const GPtrArray *parts, const char *member)
{
    json_t *joined = json_array();
    for (guint i = 0; i < parts->len; i++) {
        const json_t *reply = ((const Part *)parts->pdata[i])->reply;
        size_t index;
        json_t *candidate;
        if (hf_json_int(reply, member, 0) == 0)
            continue;
        json_array_foreach (json_object_get(reply, "candidates"), index, candidate)
            if (json_array_size(joined) < MAX_CANDIDATES)
                json_array_append(joined, candidate);
    }
    return joined;
}

/* Finds match number `index` of all, as an index inside its frame. */
static void choose_nth(const GPtrArray *parts, const char *member, gint64 index,
                       HfPageFrameChoice *choice)
{
    for (guint i = 0; i < parts->len; i++) {
        Part *part = parts->pdata[i];
        gint64 count = hf_json_int(part->reply, member, 0);
        if (index < count) {
            choice->frame = g_steal_pointer(&part->frame);
            choice->nth = index;
            return;
        }
        index -= count;
    }
}

gboolean hf_page_frame_choose(const HfTabConnection *page, const HfPageRequest *request,
                              HfPageFrameChoice *ret_choice, GError **error)
{
    g_autoptr(GPtrArray) parts = count_in_frames(page, request, error);
    if (!parts)
        return FALSE;
    /* Hidden matches count only if none is visible. */
    const char *member = sum_counts(parts, "shown") > 0 ? "shown" : "found";
    guint count = sum_counts(parts, member);
    gint64 index = !request->has_nth  ? 0
                   : request->nth < 0 ? (gint64)count + request->nth
                                      : request->nth;
    *ret_choice = (HfPageFrameChoice){.has_nth = request->has_nth, .count = count};
    ret_choice->candidates = join_candidates(parts, member);
    if ((request->has_nth || count == 1) && index >= 0)
        choose_nth(parts, member, index, ret_choice);
    return TRUE;
}
