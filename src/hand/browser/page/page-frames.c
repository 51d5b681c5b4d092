/* SPDX-License-Identifier: Apache-2.0 */
/* A world lasts as long as its document; it is made with the first question. Frames of other
 * processes have sessions of their own; where a frame is in the tab is asked of whoever holds its
 * element, level by level. */
#include "hand/browser/page/page-frames.h"

#include <string.h>

#include "hand/browser/browser-limits.h"
#include "shared/base/data.h"
#include "shared/base/error.h"

#define WORLD "handfast"

/* What is wanted of an expression. A page may do more after a gesture of its user: only what was to
 * be done counts as one. */
typedef enum Asked {
    ASKED_VALUE,
    ASKED_DEED,   /* a value too */
    ASKED_OBJECT, /* its name in the browser */
} Asked;

/* Frames within frames within frames. */
#define MOST_LEVELS 32

void hf_page_frame_free(HfPageFrame *frame)
{
    if (!frame)
        return;
    g_free(frame->id);
    g_free(frame->session);
    g_free(frame->url);
    g_free(frame);
}

static HfPageFrame *frame_new(const char *id, const char *session, const char *url)
{
    HfPageFrame *frame = g_new0(HfPageFrame, 1);
    *frame = (HfPageFrame){g_strdup(id), g_strdup(session), g_strdup(url)};
    return frame;
}

HfPageFrame *hf_page_frame_new_main(const HfTabConnection *page)
{
    hf_cdp_lock(page->cdp);
    HfPageFrame *frame = frame_new(page->tab->main_frame, page->tab->session, page->tab->url);
    hf_cdp_unlock(page->cdp);
    return frame;
}

static void add_frame_tree(const json_t *tree, const char *session, GPtrArray *frames)
{
    const json_t *frame = json_object_get(tree, "frame");
    size_t index;
    json_t *child;
    if (frames->len >= HF_LIMIT_PAGE_FRAMES)
        return;
    g_ptr_array_add(frames, frame_new(hf_json_string(frame, "id", ""), session,
                                      hf_json_string(frame, "url", "")));
    json_array_foreach (json_object_get(tree, "childFrames"), index, child)
        add_frame_tree(child, session, frames);
}

static GPtrArray *list_sessions(const HfTabConnection *page)
{
    GPtrArray *sessions = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iter;
    gpointer session;
    hf_cdp_lock(page->cdp);
    g_ptr_array_add(sessions, g_strdup(page->tab->session));
    g_hash_table_iter_init(&iter, page->tab->frames);
    while (g_hash_table_iter_next(&iter, &session, NULL))
        g_ptr_array_add(sessions, g_strdup(session));
    hf_cdp_unlock(page->cdp);
    return sessions;
}

GPtrArray *hf_page_frames_list(const HfTabConnection *page, GError **error)
{
    g_autoptr(GPtrArray) sessions = list_sessions(page);
    g_autoptr(GPtrArray) frames =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_page_frame_free);
    for (guint i = 0; i < sessions->len; i++) {
        g_autoptr(GError) problem = NULL;
        g_autoptr(json_t) answer = hf_cdp_call(page->cdp, sessions->pdata[i], "Page.getFrameTree",
                                               NULL, page->deadline, &problem);
        if (answer) {
            add_frame_tree(json_object_get(answer, "frameTree"), sessions->pdata[i], frames);
        } else if (i == 0) { /* a frame may go at any time, the page must not */
            g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
    }
    return g_steal_pointer(&frames);
}

/* ---- worlds ---- */

static gint64 find_world(const HfTabConnection *page, const HfPageFrame *frame)
{
    hf_cdp_lock(page->cdp);
    const gint64 *world = g_hash_table_lookup(page->tab->worlds, frame->id);
    gint64 found = world ? *world : 0;
    hf_cdp_unlock(page->cdp);
    return found;
}

static void forget_world(const HfTabConnection *page, const HfPageFrame *frame)
{
    hf_cdp_lock(page->cdp);
    g_hash_table_remove(page->tab->worlds, frame->id);
    hf_cdp_unlock(page->cdp);
}

static void keep_world(const HfTabConnection *page, const HfPageFrame *frame, gint64 world)
{
    hf_cdp_lock(page->cdp);
    g_hash_table_insert(page->tab->worlds, g_strdup(frame->id), g_memdup2(&world, sizeof world));
    hf_cdp_unlock(page->cdp);
}

/* Of what the browser refuses here, the document has mostly gone. Dialogs and ends stay as they
 * are. */
static void call_stale(GError **error)
{
    if (!error || !*error || hf_error_code(*error) != HF_ERROR_PRECONDITION_FAILED)
        return;
    g_clear_error(error);
    hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the page has just been replaced by another");
    hf_error_suggest(error, "look at the page again: browser_extract with type snapshot");
}

/* References of all frames of a tab are numbered apart: each world begins where none has been. */
static json_t *evaluate_in_frame(const HfTabConnection *page, const HfPageFrame *frame,
                                 gint64 world, const char *expression, Asked asked, GError **error)
{
    return hf_cdp_call(page->cdp, frame->session, "Runtime.evaluate",
                       json_pack("{s:s, s:I, s:b, s:b, s:b}", "expression", expression, "contextId",
                                 (json_int_t)world, "returnByValue", asked != ASKED_OBJECT,
                                 "awaitPromise", 1, "userGesture", asked == ASKED_DEED),
                       page->deadline, error);
}

static gint64 ensure_world(const HfTabConnection *page, const HfPageFrame *frame, GError **error)
{
    static gint worlds;
    gint64 world = find_world(page, frame);
    if (world)
        return world;
    g_autoptr(json_t) made = hf_cdp_call(
        page->cdp, frame->session, "Page.createIsolatedWorld",
        json_pack("{s:s, s:s}", "frameId", frame->id, "worldName", WORLD), page->deadline, error);
    if (!made) {
        call_stale(error);
        return 0;
    }
    world = hf_json_int(made, "executionContextId", 0);
    g_autofree char *script =
        g_strdup_printf("%s;hf.next=Math.max(hf.next,%d)", hf_data_find("page.js"),
                        1 + 100000 * (g_atomic_int_add(&worlds, 1) % 20000));
    g_autoptr(json_t) put = evaluate_in_frame(page, frame, world, script, ASKED_VALUE, error);
    if (!put) {
        call_stale(error);
        return 0;
    }
    keep_world(page, frame, world);
    return world;
}

static gboolean fail_script(const json_t *problem, GError **error)
{
    const char *text = hf_json_string(json_object_get(problem, "exception"), "description",
                                      hf_json_string(problem, "text", "unknown"));
    g_autofree char *line = g_strndup(text, strcspn(text, "\n"));
    if (strstr(line, "not a selector")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "selector: %s",
                g_str_has_prefix(line, "Error: ") ? line + strlen("Error: ") : line);
        hf_error_suggest(error, "use CSS, text=Save, role=button[name=\"Save\"], button \"Save\", "
                                "or a reference such as r12");
        return FALSE;
    }
    return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the page could not be looked at: %s",
                   line);
}

/* A world that went with its document is made anew at once: the next one is asked. */
static json_t *ask_once(const HfTabConnection *page, const HfPageFrame *frame,
                        const char *expression, Asked asked, GError **error)
{
    gint64 world = ensure_world(page, frame, error);
    g_autoptr(json_t) answer =
        world ? evaluate_in_frame(page, frame, world, expression, asked, error) : NULL;
    if (!answer) {
        if (world)
            forget_world(page, frame);
        call_stale(error);
        return NULL;
    }
    const json_t *problem = json_object_get(answer, "exceptionDetails");
    if (problem)
        return fail_script(problem, error), NULL;
    return json_incref(json_object_get(answer, "result"));
}

/* The browser itself tells a title late or never. */
static void store_page_title(const HfTabConnection *page, const HfPageFrame *frame,
                             const json_t *told)
{
    const char *title = hf_json_string(told, "title", NULL);
    hf_cdp_lock(page->cdp);
    if (title && g_str_equal(frame->id, page->tab->main_frame)) {
        g_free(page->tab->title);
        page->tab->title = g_strdup(title);
    }
    hf_cdp_unlock(page->cdp);
}

json_t *hf_page_frame_ask(const HfTabConnection *page, const HfPageFrame *frame, const char *name,
                          json_t *take_argument, GError **error)
{
    g_autoptr(json_t) argument = take_argument;
    g_autofree char *text = argument ? hf_json_dump(argument) : g_strdup("null");
    g_autofree char *expression = g_strdup_printf("hf.tell(\"%s\",%s)", name, text);
    Asked asked = json_object_get(argument, "do") ? ASKED_DEED : ASKED_VALUE;
    g_autoptr(json_t) result = ask_once(page, frame, expression, asked, error);
    if (!result)
        return NULL;
    const json_t *told = json_object_get(result, "value");
    store_page_title(page, frame, told);
    json_t *value = json_object_get(told, "value");
    return value ? json_incref(value) : json_null();
}

char *hf_page_frame_dup_held(const HfTabConnection *page, const HfPageFrame *frame, GError **error)
{
    g_autoptr(json_t) result = ask_once(page, frame, "hf.held", ASKED_OBJECT, error);
    const char *object = result ? hf_json_string(result, "objectId", NULL) : NULL;
    if (result && !object)
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the element has gone");
    return g_strdup(object);
}

/* ---- closed shadow roots ---- */

static void expose_shadow_root(const HfTabConnection *page, const HfPageFrame *frame, gint64 world,
                               json_int_t node)
{
    g_autoptr(json_t) resolved = hf_cdp_call(
        page->cdp, frame->session, "DOM.resolveNode",
        json_pack("{s:I, s:I}", "backendNodeId", node, "executionContextId", (json_int_t)world),
        page->deadline, NULL);
    const char *object = hf_json_string(json_object_get(resolved, "object"), "objectId", NULL);
    if (!object)
        return;
    g_autoptr(json_t) done =
        hf_cdp_call(page->cdp, frame->session, "Runtime.callFunctionOn",
                    json_pack("{s:s, s:s}", "objectId", object, "functionDeclaration",
                              "function(){hf.close(this)}"),
                    page->deadline, NULL);
}

static guint expose_shadow_roots(const HfTabConnection *page, const HfPageFrame *frame,
                                 gint64 world, const json_t *node)
{
    guint count = 0;
    size_t index;
    json_t *child;
    json_array_foreach (json_object_get(node, "shadowRoots"), index, child) {
        if (g_str_equal(hf_json_string(child, "shadowRootType", ""), "closed")) {
            expose_shadow_root(page, frame, world, hf_json_int(child, "backendNodeId", 0));
            count++;
        }
        count += expose_shadow_roots(page, frame, world, child);
    }
    json_array_foreach (json_object_get(node, "children"), index, child)
        count += expose_shadow_roots(page, frame, world, child);
    return count;
}

gboolean hf_page_frame_open_shadow_roots(const HfTabConnection *page, const HfPageFrame *frame)
{
    gint64 world = ensure_world(page, frame, NULL);
    g_autoptr(json_t) result =
        world ? evaluate_in_frame(page, frame, world, "document", ASKED_OBJECT, NULL) : NULL;
    const char *object = hf_json_string(json_object_get(result, "result"), "objectId", NULL);
    if (!object)
        return FALSE;
    g_autoptr(json_t) tree =
        hf_cdp_call(page->cdp, frame->session, "DOM.describeNode",
                    json_pack("{s:s, s:i, s:b}", "objectId", object, "depth", -1, "pierce", 1),
                    page->deadline, NULL);
    return tree && expose_shadow_roots(page, frame, world, json_object_get(tree, "node")) > 0;
}

/* ---- where a frame is ---- */

/* The session that holds the element of a frame, and that element. */
static char *find_owner(const HfTabConnection *page, const char *frame, json_int_t *ret_node)
{
    g_autoptr(GPtrArray) sessions = list_sessions(page);
    for (guint i = 0; i < sessions->len; i++) {
        g_autoptr(json_t) owner =
            hf_cdp_call(page->cdp, sessions->pdata[i], "DOM.getFrameOwner",
                        json_pack("{s:s}", "frameId", frame), page->deadline, NULL);
        if (owner) {
            *ret_node = hf_json_int(owner, "backendNodeId", 0);
            return g_strdup(sessions->pdata[i]);
        }
    }
    return NULL;
}

static char *dup_root(const HfTabConnection *page, const char *session)
{
    hf_cdp_lock(page->cdp);
    const char *target = g_hash_table_lookup(page->tab->frames, session);
    char *root = g_strdup(target ? target : page->tab->main_frame);
    hf_cdp_unlock(page->cdp);
    return root;
}

/* Whether the frame's element is what lies at that point of its session's view. */
static gboolean check_hit(const HfTabConnection *page, const char *session, json_int_t node,
                          double x, double y, GError **error)
{
    g_autofree char *root = dup_root(page, session);
    HfPageFrame frame = {root, (char *)session, NULL};
    gint64 world = ensure_world(page, &frame, NULL);
    g_autoptr(json_t) resolved = hf_cdp_call(
        page->cdp, session, "DOM.resolveNode",
        json_pack("{s:I, s:I}", "backendNodeId", node, "executionContextId", (json_int_t)world),
        page->deadline, NULL);
    const char *object = hf_json_string(json_object_get(resolved, "object"), "objectId", NULL);
    if (!object) /* the element is in a frame within this session: only its own view could tell */
        return TRUE;
    g_autoptr(json_t) told =
        hf_cdp_call(page->cdp, session, "Runtime.callFunctionOn",
                    json_pack("{s:s, s:s, s:[{s:f}, {s:f}], s:b}", "objectId", object,
                              "functionDeclaration", "function(x,y){return hf.hits(this,x,y)}",
                              "arguments", "value", x, "value", y, "returnByValue", 1),
                    page->deadline, NULL);
    const char *by = hf_json_string(json_object_get(told, "result"), "value", "");
    return !*by || hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "%s", by);
}

static gboolean add_frame_offset(const HfTabConnection *page, const char *id, const HfPagePoint *at,
                                 char **ret_session, HfPagePoint *offset, GError **error)
{
    json_int_t node = 0;
    g_autofree char *session = find_owner(page, id, &node);
    g_autoptr(json_t) model =
        session ? hf_cdp_call(page->cdp, session, "DOM.getBoxModel",
                              json_pack("{s:I}", "backendNodeId", node), page->deadline, NULL)
                : NULL;
    const json_t *quad = json_object_get(json_object_get(model, "model"), "content");
    if (json_array_size(quad) < 2)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the frame has gone or is hidden");
    offset->x += json_number_value(json_array_get(quad, 0));
    offset->y += json_number_value(json_array_get(quad, 1));
    if (at && !check_hit(page, session, node, offset->x + at->x, offset->y + at->y, error))
        return FALSE;
    *ret_session = g_steal_pointer(&session);
    return TRUE;
}

gboolean hf_page_frame_get_offset(const HfTabConnection *page, const HfPageFrame *frame,
                                  const HfPagePoint *at, HfPagePoint *ret_offset, GError **error)
{
    g_autofree char *main = dup_root(page, page->tab->session);
    g_autofree char *id = g_strdup(frame->id);
    HfPagePoint offset = {0, 0};
    for (int level = 0; level < MOST_LEVELS && g_strcmp0(id, main) != 0; level++) {
        g_autofree char *session = NULL;
        if (!add_frame_offset(page, id, at, &session, &offset, error))
            return FALSE;
        g_free(id);
        id = dup_root(page, session);
    }
    *ret_offset = offset;
    return TRUE;
}
