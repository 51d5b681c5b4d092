/* SPDX-License-Identifier: Apache-2.0 */
/* Begins a tab session for a call. Refuses when the owner has blocked the window of the browser. */
#include "hand/tools/browser/call-page.h"

#include <stdlib.h>

#include "hand/browser/page/page-query.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

const char *const hf_dialog_choices[] = {"accept", "dismiss", NULL};

static const char *const states[] = {"in_progress", "completed", "failed", NULL};

#define DIALOG_FIELDS                                                                              \
    HF_REQUIRED("type", HF_TYPE_STRING, "alert, confirm, prompt or beforeunload"),                 \
        HF_REQUIRED("message", HF_TYPE_STRING, "Text", .others = TRUE),                            \
        HF_OPTIONAL("preset", HF_TYPE_STRING, "What a prompt offers", .others = TRUE)

const HfParam hf_page_dialog_fields[] = {
    DIALOG_FIELDS,
    {0},
};
static const HfParam answered_fields[] = {
    DIALOG_FIELDS,
    HF_REQUIRED("answered", HF_TYPE_STRING, "How", .choices = hf_dialog_choices),
    {0},
};
const HfParam hf_page_answered = {
    .name = "dialog", .type = HF_TYPE_OBJECT, .fields = answered_fields, .about = "A dialog"};
const HfParam hf_page_opened_fields[] = {
    HF_REQUIRED("tab", HF_TYPE_STRING, "The tab"),
    HF_REQUIRED("url", HF_TYPE_STRING, "Address", .others = TRUE),
    HF_REQUIRED("front", HF_TYPE_BOOLEAN, "It is in front"),
    {0},
};
static const HfParam download_fields[] = {
    HF_REQUIRED("url", HF_TYPE_STRING, "Its address", .others = TRUE),
    HF_REQUIRED("name", HF_TYPE_STRING, "The file name from the server", .others = TRUE),
    HF_REQUIRED("state", HF_TYPE_STRING, "State of the download", .choices = states),
    HF_REQUIRED("bytes", HF_TYPE_INTEGER, "Bytes received so far"),
    HF_OPTIONAL("file", HF_TYPE_STRING, "Path of the complete file", .written = TRUE,
                .others = TRUE),
    HF_OPTIONAL("problem", HF_TYPE_STRING, "Why it failed"),
    {0},
};
const HfParam hf_page_download = {
    .name = "download", .type = HF_TYPE_OBJECT, .fields = download_fields, .about = "A file"};
const HfParam hf_page_blocked = {
    .name = "host", .type = HF_TYPE_STRING, .others = TRUE, .about = "Host or address"};
static const HfParam box_fields[] = {
    HF_REQUIRED("x", HF_TYPE_NUMBER, "From the left of its frame"),
    HF_REQUIRED("y", HF_TYPE_NUMBER, "From the top of its frame"),
    HF_REQUIRED("width", HF_TYPE_NUMBER, "In pixels of the page"),
    HF_REQUIRED("height", HF_TYPE_NUMBER, "In pixels of the page"),
    {0},
};
const HfParam hf_page_element_fields[] = {
    HF_REQUIRED("ref", HF_TYPE_STRING, "Reference for later calls: r12"),
    HF_REQUIRED("role", HF_TYPE_STRING, "What it is"),
    HF_REQUIRED("name", HF_TYPE_STRING, "Its name", .others = TRUE),
    HF_REQUIRED("tag", HF_TYPE_STRING, "Its HTML element"),
    HF_REQUIRED("box", HF_TYPE_OBJECT, "Its position in its frame", .fields = box_fields),
    HF_REQUIRED("visible", HF_TYPE_BOOLEAN, "Whether it is visible"),
    HF_OPTIONAL("secure", HF_TYPE_BOOLEAN, "True for a password field, which is never read"),
    {0},
};

/* ---- which tab ---- */

static gboolean get_tab_number(const HfCall *call, guint *ret_number, GError **error)
{
    const char *name = hf_call_string(call, "tab");
    char *end = NULL;
    *ret_number = 0;
    if (!name)
        return TRUE;
    guint64 number = name[0] == 't' ? g_ascii_strtoull(name + 1, &end, 10) : 0;
    if (number > 0 && number < G_MAXUINT && *end == '\0') {
        *ret_number = (guint)number;
        return TRUE;
    }
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "tab: '%s' is not a tab; tabs have names such as t1",
            name);
    hf_error_suggest(error, "list the tabs with browser_tabs");
    return FALSE;
}

/* Everything that decides whether the browser's windows are blocked: the fence and their titles.
 * NULL: the windows were checked in this state before. */
static char *dup_unchecked_state(const HfTabSession *session)
{
    HfBrowser *browser = session->browser;
    hf_cdp_lock(browser->cdp);
    g_autofree char *state =
        g_strdup_printf("%" G_GUINT64_FORMAT " %u %u %s", hf_fence_number(session->context),
                        browser->opened, session->tab->number, session->tab->title);
    gboolean checked = g_strcmp0(browser->unfenced, state) == 0;
    hf_cdp_unlock(browser->cdp);
    return checked ? NULL : g_steal_pointer(&state);
}

static void keep_checked_state(HfBrowser *browser, char *take_state)
{
    hf_cdp_lock(browser->cdp);
    g_free(browser->unfenced);
    browser->unfenced = take_state;
    hf_cdp_unlock(browser->cdp);
}

/* The owner may have blocked a window by its title or its program. */
static gboolean check_browser_windows(const HfTabSession *session, GError **error)
{
    if (hf_fence_is_open(session->context))
        return TRUE;
    g_autofree char *state = dup_unchecked_state(session);
    g_autoptr(GPtrArray) windows =
        state ? hf_windows_list(hf_call_context_desktop(session->context), NULL) : NULL;
    for (guint i = 0; windows && i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->pid == hf_chromium_get_pid(session->browser->chromium) &&
            !hf_fence_check_window(session->context, window->id, error))
            return FALSE;
    }
    if (windows)
        keep_checked_state(session->browser, g_steal_pointer(&state));
    return TRUE;
}

gboolean hf_call_begin_tab_session(HfCall *call, HfTabSessionKind kind, HfTabSession *session,
                                   GError **error)
{
    guint tab;
    const char *dialog = hf_call_string(call, "dialog");
    *session = (HfTabSession){.context = hf_call_context(call),
                              .walls = hf_call_walls(call),
                              .deadline = *hf_call_deadline(call),
                              .download_dir = hf_call_string(call, "download_dir"),
                              .dialog = !dialog                         ? 0
                                        : g_str_equal(dialog, "accept") ? 1
                                                                        : -1,
                              .dialog_text = hf_call_string(call, "dialog_text")};
    return get_tab_number(call, &tab, error) && hf_tab_session_begin(session, kind, tab, error) &&
           check_browser_windows(session, error);
}

/* ---- which element ---- */

gboolean hf_call_get_page_request(const HfCall *call, HfPageRequest *ret_request,
                                  json_t **ret_query, GError **error)
{
    const char *selector = hf_call_string(call, "selector");
    *ret_query = selector ? hf_page_query_parse(selector, error) : NULL;
    if (selector && !*ret_query)
        return FALSE;
    *ret_request = (HfPageRequest){.query = *ret_query,
                                   .selector = selector,
                                   .nth = hf_call_int(call, "nth"),
                                   .has_nth = hf_call_has(call, "nth")};
    return TRUE;
}
