/* SPDX-License-Identifier: Apache-2.0 */
/* A window shows the page whose title it has. Nothing reports where its view begins, but it has the
 * window's width and ends at its lower edge, so its height determines the position. A view that
 * does not fit (a panel beside it) is left to the accessibility tree. */
#include "hand/browser/page/page-elements.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/browser/browser-limits.h"
#include "hand/browser/browser.h"
#include "hand/browser/page/page-frames.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"

/* Tolerance for rounding. */
#define SLACK_PX 3

gboolean hf_page_viewport_find(HfRect window, double width, double height, double scale,
                               HfPageViewport *ret_viewport)
{
    double wide = width * scale, high = height * scale;
    if (!(scale > 0) || fabs(wide - window.width) > SLACK_PX || high < 1 ||
        high > window.height + SLACK_PX)
        return FALSE;
    *ret_viewport = (HfPageViewport){scale, window.x, window.y + window.height - high};
    return TRUE;
}

HfRect hf_page_viewport_to_screen(const HfPageViewport *viewport, double x, double y, double width,
                                  double height)
{
    double left = viewport->x + x * viewport->scale, top = viewport->y + y * viewport->scale;
    double right = left + width * viewport->scale, bottom = top + height * viewport->scale;
    HfRect rect = {(int)lround(left), (int)lround(top), 0, 0};
    rect.width = (int)lround(right) - rect.x;
    rect.height = (int)lround(bottom) - rect.y;
    return rect;
}

/* ---- the page of a window ---- */

/* "Title - Chromium"; the title of a page without one is its address. */
static gboolean window_has_page_title(const HfWindow *window, const char *title)
{
    gsize length = strlen(title);
    return length > 0 && strncmp(window->title, title, length) == 0 &&
           (window->title[length] == '\0' || g_str_has_prefix(window->title + length, " - "));
}

/* With the CDP lock held. */
static HfTab *find_shown_tab(HfBrowser *browser, const HfWindow *window)
{
    HfTab *found = NULL;
    for (guint i = 0; i < browser->tabs->len; i++) {
        HfTab *tab = browser->tabs->pdata[i];
        if (tab->title && window_has_page_title(window, tab->title) &&
            (!found || tab == browser->current))
            found = tab;
    }
    return found ? found : browser->tabs->len == 1 ? browser->tabs->pdata[0] : NULL;
}

static HfTab *dup_shown(HfBrowser *browser, const HfWindow *window)
{
    hf_cdp_lock(browser->cdp);
    HfTab *tab = find_shown_tab(browser, window);
    gboolean fine =
        tab && !tab->crashed && !tab->gone && !tab->dialog.kind &&
        (!browser->policy || hf_page_policy_check_page(browser->policy, tab->url, NULL));
    if (fine)
        hf_tab_ref(tab);
    hf_cdp_unlock(browser->cdp);
    return fine ? tab : NULL;
}

/* ---- its elements ---- */

static int page_role_to_ax(const char *name, gboolean secure)
{
    static const struct {
        const char *name;
        int role;
    } roles[] = {
        {"button", HF_ROLE_BUTTON},
        {"link", HF_ROLE_LINK},
        {"textbox", HF_ROLE_ENTRY},
        {"searchbox", HF_ROLE_ENTRY},
        {"spinbutton", HF_ROLE_SPIN_BUTTON},
        {"slider", HF_ROLE_SLIDER},
        {"combobox", HF_ROLE_COMBO_BOX},
        {"listbox", HF_ROLE_LIST_BOX},
        {"option", HF_ROLE_LIST_ITEM},
        {"checkbox", HF_ROLE_CHECK_BOX},
        {"radio", HF_ROLE_RADIO_BUTTON},
        {"switch", HF_ROLE_SWITCH},
        {"tab", HF_ROLE_PAGE_TAB},
        {"menuitem", HF_ROLE_MENU_ITEM},
        {"menuitemcheckbox", HF_ROLE_CHECK_MENU_ITEM},
        {"menuitemradio", HF_ROLE_RADIO_MENU_ITEM},
        {"treeitem", HF_ROLE_TREE_ITEM},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(roles); i++)
        if (g_str_equal(roles[i].name, name))
            return secure && roles[i].role == HF_ROLE_ENTRY ? HF_ROLE_PASSWORD_TEXT : roles[i].role;
    return HF_ROLE_BUTTON; /* anything clickable */
}

static guint64 page_states_to_ax(const json_t *element)
{
    static const struct {
        const char *member;
        int state;
    } members[] = {
        {"checked", HF_STATE_CHECKED},   {"expanded", HF_STATE_EXPANDED},
        {"selected", HF_STATE_SELECTED}, {"focused", HF_STATE_FOCUSED},
        {"editable", HF_STATE_EDITABLE},
    };
    guint64 states = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
        if (hf_json_bool(element, members[i].member, FALSE))
            states |= HF_STATE(members[i].state);
    return states;
}

static const char *keep_page_text(HfPageElements *sights, const json_t *element, const char *member)
{
    const char *text = hf_json_string(element, member, "");
    if (!*text)
        return NULL;
    char *copy = g_strdup(text);
    g_ptr_array_add(sights->kept, copy);
    return copy;
}

typedef struct Place {
    guint32 window;
    HfRect inside; /* its visible part */
    const HfPageViewport *viewport;
    HfPagePoint offset; /* of the frame in the view */
} Place;

static void add_page_element(HfPageElements *sights, const Place *place, const json_t *element)
{
    gboolean secure = hf_json_bool(element, "secure", FALSE);
    HfRect box = hf_page_viewport_to_screen(
        place->viewport, hf_json_number(element, "x", 0) + place->offset.x,
        hf_json_number(element, "y", 0) + place->offset.y, hf_json_number(element, "width", 0),
        hf_json_number(element, "height", 0));
    HfDetection seen = {
        .window = place->window,
        .box = hf_rect_intersect(box, place->inside),
        .role = page_role_to_ax(hf_json_string(element, "role", ""), secure),
        .states = page_states_to_ax(element),
        .source = HF_SOURCE_DOM,
        .text = keep_page_text(sights, element, "name"),
        .dom = keep_page_text(sights, element, "dom"),
        .value = secure ? NULL : keep_page_text(sights, element, "value"),
        .secure = secure,
    };
    if (!hf_rect_is_empty(seen.box))
        g_array_append_val(sights->detected, seen);
}

static void add_page_elements(HfPageElements *elements, const Place *place, const json_t *reply)
{
    hf_json_each (element, json_object_get(reply, "elements"))
        if (elements->detected->len < HF_LIMIT_PAGE_SIGHTS)
            add_page_element(elements, place, element);
}

/* Frames come after their page, as long as there is time. */
static void read_frame_elements(const HfTabConnection *page, const Place *main,
                                HfPageElements *sights)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(page, NULL);
    for (guint i = 1; frames && i < frames->len && !hf_deadline_passed(page->deadline); i++) {
        Place place = *main;
        g_autoptr(json_t) reply =
            hf_page_frame_ask(page, frames->pdata[i], "elementsInView", NULL, NULL);
        if (json_array_size(json_object_get(reply, "elements")) > 0 &&
            hf_page_frame_get_offset(page, frames->pdata[i], NULL, &place.offset, NULL))
            add_page_elements(sights, &place, reply);
    }
}

static void read_browser_window(HfBrowser *browser, const HfWindow *window,
                                const HfDeadline *deadline, HfPageElements *sights)
{
    HfPageViewport viewport;
    /* Without the shadow of a browser that draws its own frame, or the window manager's frame. */
    HfRect inside = hf_rect_intersect(window->bounds, window->frame);
    HfDeadline moment = hf_deadline_within_ms(deadline, HF_PAGE_SIGHT_MS);
    hf_browser_find_active_tab(browser, &moment);
    g_autoptr(HfTab) tab = dup_shown(browser, window);
    if (!tab)
        return;
    HfTabConnection page = {browser->cdp, tab, &moment};
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&page);
    g_autoptr(json_t) reply = hf_page_frame_ask(&page, frame, "elementsInView", NULL, NULL);
    if (!reply || !hf_page_viewport_find(inside, hf_json_number(reply, "width", 0),
                                         hf_json_number(reply, "height", 0),
                                         hf_json_number(reply, "scale", 0), &viewport))
        return;
    Place place = {window->id, inside, &viewport, {0, 0}};
    add_page_elements(sights, &place, reply);
    if (hf_json_int(reply, "frames", 0) > 0)
        read_frame_elements(&page, &place, sights);
}

static HfBrowser *find_browser(const GPtrArray *browsers, const HfWindow *window)
{
    for (guint i = 0; i < browsers->len; i++) {
        HfBrowser *browser = browsers->pdata[i];
        if (window->pid == hf_chromium_get_pid(browser->chromium) && hf_browser_is_alive(browser))
            return browser;
    }
    return NULL;
}

static gboolean is_window_requested(const HfCallContext *context, const HfWindow *window,
                                    guint32 id, int pid)
{
    return window->visible && !window->minimized && (!id || window->id == id) &&
           (!pid || window->pid == pid) && !hf_fence_blocks(context, window);
}

HfPageElements *hf_page_elements_read(const HfCallContext *context, const GPtrArray *browsers,
                                      guint32 window, int pid, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) windows =
        browsers->len > 0 ? hf_windows_list(hf_call_context_desktop(context), NULL) : NULL;
    g_autoptr(HfPageElements) sights = hf_page_elements_new();
    for (guint i = windows ? windows->len : 0; i-- > 0;) {
        const HfWindow *one = windows->pdata[i];
        HfBrowser *browser =
            is_window_requested(context, one, window, pid) ? find_browser(browsers, one) : NULL;
        guint before = sights->detected->len;
        if (browser)
            read_browser_window(browser, one, deadline, sights);
        if (sights->detected->len > before)
            g_ptr_array_add(sights->windows, g_ptr_array_steal_index(windows, i));
    }
    return sights->detected->len > 0 ? g_steal_pointer(&sights) : NULL;
}
