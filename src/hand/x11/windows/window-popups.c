/* SPDX-License-Identifier: Apache-2.0 */
/* Children of the root that are shown and that no window manager may touch. All are asked at once:
 * two round trips, however many there are. */
#include "hand/x11/windows/window-popups.h"

#include <stdlib.h>

#include "hand/x11/windows/window-pid.h"

typedef struct Question {
    xcb_get_window_attributes_cookie_t attributes;
    xcb_get_geometry_cookie_t geometry;
} Question;

static gboolean is_popup(const xcb_get_window_attributes_reply_t *attributes,
                         const xcb_get_geometry_reply_t *geometry)
{
    return attributes && geometry && attributes->override_redirect &&
           attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
           attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && geometry->width > 1 &&
           geometry->height > 1;
}

static void collect_popup(xcb_connection_t *xcb, xcb_window_t id, Question question,
                          GPtrArray *popups)
{
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, question.attributes, NULL);
    xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(xcb, question.geometry, NULL);
    if (is_popup(attributes, geometry)) {
        HfWindow *popup = g_new0(HfWindow, 1);
        popup->id = id;
        popup->bounds =
            (HfRect){geometry->x + geometry->border_width, geometry->y + geometry->border_width,
                     geometry->width, geometry->height};
        g_ptr_array_insert(popups, 0, popup);
    }
    free(attributes);
    free(geometry);
}

static void add_pids(HfX11Connection *connection, GPtrArray *popups)
{
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < popups->len; i++)
        g_array_append_val(ids, ((HfWindow *)popups->pdata[i])->id);
    if (ids->len == 0)
        return;
    HfX11PidCookie cookie =
        hf_x11_pids_send_query(connection, (const guint32 *)(gpointer)ids->data, ids->len);
    g_autoptr(GHashTable) pids = hf_x11_pids_collect(connection, cookie);
    for (guint i = 0; i < popups->len; i++) {
        HfWindow *popup = popups->pdata[i];
        popup->pid = hf_x11_pids_find(connection, pids, popup->id);
    }
}

GPtrArray *hf_x11_window_popups(HfDesktop *desktop, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_connection_t *xcb = connection->xcb;
    g_autoptr(GPtrArray) popups = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    xcb_query_tree_reply_t *tree =
        xcb_query_tree_reply(xcb, xcb_query_tree(xcb, connection->root), NULL);
    int count = tree ? xcb_query_tree_children_length(tree) : 0;
    const xcb_window_t *children = tree ? xcb_query_tree_children(tree) : NULL;
    g_autofree Question *questions = g_new(Question, count + 1);
    for (int i = 0; i < count; i++)
        questions[i] = (Question){xcb_get_window_attributes(xcb, children[i]),
                                  xcb_get_geometry(xcb, children[i])};
    for (int i = 0; i < count; i++)
        collect_popup(xcb, children[i], questions[i], popups);
    free(tree);
    add_pids(connection, popups);
    return hf_x11_check(connection, error) ? g_steal_pointer(&popups) : NULL;
}
