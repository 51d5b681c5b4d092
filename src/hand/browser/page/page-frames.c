/* SPDX-License-Identifier: Apache-2.0 */
/* An isolated world lives as long as its document and is created with the first question. Frames of
 * other processes have their own CDP sessions; the position of a frame is asked from the session
 * that owns its element, level by level. */
#include "hand/browser/page/page-frames.h"

#include <string.h>

#include "hand/browser/browser-limits.h"
#include "shared/base/data.h"
#include "shared/base/error.h"

#define WORLD "handfast"

/* What an expression is for. A page may do more after a user gesture: only actions count as one. */
typedef enum Purpose {
    PURPOSE_VALUE,
    PURPOSE_ACTION, /* also returns a value */
    PURPOSE_OBJECT, /* returns its object id */
} Purpose;

#define MAX_FRAME_DEPTH 32

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
    if (frames->len >= HF_LIMIT_PAGE_FRAMES)
        return;
    g_ptr_array_add(frames, frame_new(hf_json_string(frame, "id", ""), session,
                                      hf_json_string(frame, "url", "")));
    hf_json_each (child, json_object_get(tree, "childFrames"))
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
        } else if (i == 0) { /* a frame may disappear at any time, the page must not */
            g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
    }
    return g_steal_pointer(&frames);
}

/* ---- isolated worlds ---- */

static gint64 find_world(const HfTabConnection *page, const HfPageFrame *frame)
{
    hf_cdp_lock(page->cdp);
    const gint64 *world = g_hash_table_lookup(page->tab->worlds, frame->id);
    gint64 found = world ? *world : 0;
    hf_cdp_unlock(page->cdp);
    return found;
}

/* What the browser refuses here is mostly due to a replaced document. Other errors stay as they
 * are. */
static void mark_stale(GError **error)
{
    if (!error || !*error || hf_error_code(*error) != HF_ERROR_PRECONDITION_FAILED)
        return;
    g_clear_error(error);
    hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "another page has just replaced this one");
    hf_error_suggest(error, "look at the page again: browser_extract with type snapshot");
}

static json_t *evaluate_in_frame(const HfTabConnection *page, const HfPageFrame *frame,
                                 gint64 world, const char *expression, Purpose purpose,
                                 GError **error)
{
    return hf_cdp_call(page->cdp, frame->session, "Runtime.evaluate",
                       json_pack("{s:s, s:I, s:b, s:b, s:b}", "expression", expression, "contextId",
                                 (json_int_t)world, "returnByValue", purpose != PURPOSE_OBJECT,
                                 "awaitPromise", 1, "userGesture", purpose == PURPOSE_ACTION),
                       page->deadline, error);
}

/* References are unique in all frames of a tab: each world starts in a number range of its own. */
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
        mark_stale(error);
        return 0;
    }
    world = hf_json_int(made, "executionContextId", 0);
    g_autofree char *script =
        g_strdup_printf("%s;hf.next=Math.max(hf.next,%d)", hf_data_find("page.js"),
                        1 + 100000 * (g_atomic_int_add(&worlds, 1) % 20000));
    g_autoptr(json_t) put = evaluate_in_frame(page, frame, world, script, PURPOSE_VALUE, error);
    if (!put) {
        mark_stale(error);
        return 0;
    }
    hf_cdp_lock(page->cdp);
    g_hash_table_insert(page->tab->worlds, g_strdup(frame->id), g_memdup2(&world, sizeof world));
    hf_cdp_unlock(page->cdp);
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
    return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the page could not be read: %s", line);
}

/* If the world is gone with its document, the next call creates a new one. */
static json_t *evaluate_once(const HfTabConnection *page, const HfPageFrame *frame,
                             const char *expression, Purpose purpose, GError **error)
{
    gint64 world = ensure_world(page, frame, error);
    g_autoptr(json_t) answer =
        world ? evaluate_in_frame(page, frame, world, expression, purpose, error) : NULL;
    if (!answer) {
        if (world) {
            hf_cdp_lock(page->cdp);
            g_hash_table_remove(page->tab->worlds, frame->id);
            hf_cdp_unlock(page->cdp);
        }
        mark_stale(error);
        return NULL;
    }
    const json_t *problem = json_object_get(answer, "exceptionDetails");
    if (problem)
        return fail_script(problem, error), NULL;
    return json_incref(json_object_get(answer, "result"));
}

/* The browser reports a title late or never. */
static void store_page_title(const HfTabConnection *page, const HfPageFrame *frame,
                             const json_t *reply)
{
    const char *title = hf_json_string(reply, "title", NULL);
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
    g_autofree char *expression = g_strdup_printf("hf.call(\"%s\",%s)", name, text);
    Purpose purpose = json_object_get(argument, "do") ? PURPOSE_ACTION : PURPOSE_VALUE;
    g_autoptr(json_t) result = evaluate_once(page, frame, expression, purpose, error);
    if (!result)
        return NULL;
    const json_t *reply = json_object_get(result, "value");
    store_page_title(page, frame, reply);
    json_t *value = json_object_get(reply, "value");
    return value ? json_incref(value) : json_null();
}

char *hf_page_frame_dup_held(const HfTabConnection *page, const HfPageFrame *frame, GError **error)
{
    g_autoptr(json_t) result = evaluate_once(page, frame, "hf.held", PURPOSE_OBJECT, error);
    const char *object = result ? hf_json_string(result, "objectId", NULL) : NULL;
    if (result && !object)
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the element is gone");
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
    hf_json_each (child, json_object_get(node, "shadowRoots")) {
        if (g_str_equal(hf_json_string(child, "shadowRootType", ""), "closed")) {
            expose_shadow_root(page, frame, world, hf_json_int(child, "backendNodeId", 0));
            count++;
        }
        count += expose_shadow_roots(page, frame, world, child);
    }
    hf_json_each (child, json_object_get(node, "children"))
        count += expose_shadow_roots(page, frame, world, child);
    return count;
}

gboolean hf_page_frame_open_shadow_roots(const HfTabConnection *page, const HfPageFrame *frame)
{
    gint64 world = ensure_world(page, frame, NULL);
    g_autoptr(json_t) result =
        world ? evaluate_in_frame(page, frame, world, "document", PURPOSE_OBJECT, NULL) : NULL;
    const char *object = hf_json_string(json_object_get(result, "result"), "objectId", NULL);
    if (!object)
        return FALSE;
    g_autoptr(json_t) tree =
        hf_cdp_call(page->cdp, frame->session, "DOM.describeNode",
                    json_pack("{s:s, s:i, s:b}", "objectId", object, "depth", -1, "pierce", 1),
                    page->deadline, NULL);
    return tree && expose_shadow_roots(page, frame, world, json_object_get(tree, "node")) > 0;
}

/* ---- positions of frames ---- */

/* The session that contains the element of a frame, and that element. */
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

/* Whether the frame's element is the topmost one at that point of its session's view. */
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
    if (!object) /* the element is in a nested frame of this session: only that view could tell */
        return TRUE;
    g_autoptr(json_t) reply =
        hf_cdp_call(page->cdp, session, "Runtime.callFunctionOn",
                    json_pack("{s:s, s:s, s:[{s:f}, {s:f}], s:b}", "objectId", object,
                              "functionDeclaration", "function(x,y){return hf.hits(this,x,y)}",
                              "arguments", "value", x, "value", y, "returnByValue", 1),
                    page->deadline, NULL);
    const char *by = hf_json_string(json_object_get(reply, "result"), "value", "");
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
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "the frame is gone or hidden");
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
    for (int level = 0; level < MAX_FRAME_DEPTH && g_strcmp0(id, main) != 0; level++) {
        g_autofree char *session = NULL;
        if (!add_frame_offset(page, id, at, &session, &offset, error))
            return FALSE;
        g_free(id);
        id = dup_root(page, session);
    }
    *ret_offset = offset;
    return TRUE;
}
