/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the points that belong to an element: not clipped, and not covered by another window. */
#include "hand/atspi/act/element-input.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/desktop/keyboard.h"
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

/* How long a program may take to read a key. */
#define READ_MS 1000

/* ---- the visible part ---- */

static gboolean clips_content(int role)
{
    switch (role) {
    case HF_ROLE_SCROLL_PANE:
    case HF_ROLE_VIEWPORT:
    case HF_ROLE_DOCUMENT_FRAME:
    case HF_ROLE_DOCUMENT_WEB:
    case HF_ROLE_FRAME:
    case HF_ROLE_DIALOG:
    case HF_ROLE_WINDOW:
        return TRUE;
    default:
        return FALSE;
    }
}

/* A popup lies outside its container. */
static gboolean pops_up(const HfNode *node)
{
    switch (node->role) {
    case HF_ROLE_COMBO_BOX:
    case HF_ROLE_MENU:
    case HF_ROLE_MENU_ITEM:
    case HF_ROLE_POPUP_MENU:
        return TRUE;
    default:
        return node->pops_up;
    }
}

HfRect hf_element_get_visible(const HfElement *element)
{
    if (element->index == HF_NODE_NONE)
        return (HfRect){0, 0, 0, 0};
    const HfNode *node = hf_tree_get(element->tree, element->index);
    HfRect visible = node->bounds;
    while (node->parent != HF_NODE_NONE && !hf_rect_is_empty(visible)) {
        node = hf_tree_get(element->tree, node->parent);
        if (pops_up(node))
            break;
        if (!hf_rect_is_empty(node->bounds) &&
            (element->quirks->any_box_clips || clips_content(node->role)))
            visible = hf_rect_intersect(visible, node->bounds);
    }
    return visible;
}

/* ---- its window ---- */

gboolean hf_element_raise(const HfElement *element, GError **error)
{
    if (!element->window)
        return TRUE;
    g_autoptr(GPtrArray) windows = hf_windows_list(element->desktop, error);
    const HfWindow *window = windows ? hf_windows_find(windows, element->window) : NULL;
    if (!windows)
        return FALSE;
    if (!window)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                       "the element's window no longer exists");
    if (window->focused)
        return TRUE;
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    return hf_windows_change(element->context, element->window, &change, element->deadline, error);
}

/* Popup menus and lists are unmanaged windows of the same program. */
static gboolean is_its_window(const HfElement *element, const GPtrArray *at,
                              const HfWindow **ret_other)
{
    *ret_other = NULL;
    for (guint i = 0; i < at->len; i++) {
        const HfWindow *window = at->pdata[i];
        if (window->id == element->window || (window->pid && window->pid == element->pid))
            return TRUE;
        if (!*ret_other || *window->title)
            *ret_other = window;
    }
    return FALSE;
}

static gboolean refuse_covered(const HfElement *element, const HfWindow *other, GError **error)
{
    g_autofree char *title = hf_element_dup_title(element);
    hf_fail(error, HF_ERROR_DESKTOP_FOCUS_LOST, "a click on %s would reach the window '%s'", title,
            other ? other->title : "");
    if (other)
        hf_error_take_details(error, json_pack("{s:{s:I, s:o}}", "window", "window_id",
                                               (json_int_t)other->id, "title",
                                               hf_json_text(other->title)));
    return FALSE;
}

static gboolean choose_point(const HfElement *element, HfRect visible, HfPoint *ret_point,
                             GError **error)
{
    static const struct {
        double x, y;
    } places[] = {{.5, .5}, {.25, .5}, {.75, .5}, {.5, .2}, {.5, .8}, {.1, .1}, {.9, .9}};
    const HfWindowOps *ops = element->desktop->backend->windows;
    const HfWindow *other = NULL;
    g_autoptr(GPtrArray) at = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        HfPoint point = {visible.x + (int)(visible.width * places[i].x),
                         visible.y + (int)(visible.height * places[i].y)};
        g_clear_pointer(&at, g_ptr_array_unref);
        at = ops && ops->identify ? ops->identify(element->desktop, &point, error) : NULL;
        if (!at)
            return FALSE;
        if (!is_its_window(element, at, &other))
            continue;
        *ret_point = point;
        return TRUE;
    }
    return refuse_covered(element, other, error);
}

gboolean hf_element_find_clickable_point(HfElement *element, HfPoint *ret_point, GError **error)
{
    HfSize size;
    if (!hf_element_raise(element, error) || !hf_screen_get_size(element->desktop, &size, error))
        return FALSE;
    HfRect screen = {0, 0, size.width, size.height};
    HfRect visible = hf_rect_intersect(hf_element_get_visible(element), screen);
    if (hf_rect_is_empty(visible)) {
        if (!hf_element_reread(element, error))
            return FALSE;
        visible = hf_rect_intersect(hf_element_get_visible(element), screen);
    }
    if (!hf_rect_is_empty(visible))
        return choose_point(element, visible, ret_point, error);
    g_autofree char *title = hf_element_dup_title(element);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s is out of view, so it cannot be clicked",
            title);
    hf_error_suggest(error, "bring it into view: ui_act with action scroll_into_view");
    return FALSE;
}

static gboolean contains_window(const GPtrArray *windows, guint32 id, int pid)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if ((id && window->id == id) || (pid && window->pid == pid))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_element_has_popped_up(HfElement *element)
{
    const HfWindowOps *ops = element->desktop->backend->windows;
    if (!hf_element_reread(element, NULL) || !ops || !ops->identify)
        return FALSE;
    HfRect visible = hf_element_get_visible(element);
    if (hf_rect_is_empty(visible))
        return FALSE;
    HfPoint middle = {visible.x + visible.width / 2, visible.y + visible.height / 2};
    g_autoptr(GPtrArray) at = ops->identify(element->desktop, &middle, NULL);
    return at && contains_window(at, 0, element->pid) && !contains_window(at, element->window, 0);
}

/* ---- input ---- */

gboolean hf_element_click(HfElement *element, HfButton button, HfPoint *ret_point, GError **error)
{
    HfClick click = {.button = button, .count = 1};
    return hf_element_find_clickable_point(element, &click.point, error) &&
           hf_pointer_click(element->context, &click, ret_point, element->deadline, error);
}

/* A program cannot have acted on keys that it has not read, and reading it back would be too early.
 */
static gboolean wait_for_input_read(const HfElement *element, GError **error)
{
    const HfKeyboardOps *ops = element->desktop->backend->keyboard;
    HfDeadline patience = hf_deadline_within_ms(element->deadline, READ_MS);
    if (element->window && ops && ops->settle)
        ops->settle(element->desktop, element->window, &patience, NULL);
    return hf_deadline_check(element->deadline, error);
}

gboolean hf_element_press_keys(const HfElement *element, const char *const *keys, GError **error)
{
    g_autoptr(GArray) keysyms = hf_keys_parse(keys, error);
    HfChord chord = {.keysyms = keysyms, .times = 1};
    return keysyms && hf_fence_check_focus(element->context, error) &&
           hf_keyboard_chord(element->context, &chord, element->deadline, error) &&
           wait_for_input_read(element, error);
}
