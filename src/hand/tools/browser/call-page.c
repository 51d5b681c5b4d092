/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a call to a visit, and the words of its result. */
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
    {.name = "type",                                                                               \
     .type = HF_TYPE_STRING,                                                                       \
     .required = TRUE,                                                                             \
     .about = "alert, confirm, prompt or beforeunload"},                                           \
        {.name = "message",                                                                        \
         .type = HF_TYPE_STRING,                                                                   \
         .required = TRUE,                                                                         \
         .others = TRUE,                                                                           \
         .about = "Text"},                                                                         \
    {                                                                                              \
        .name = "preset", .type = HF_TYPE_STRING, .others = TRUE, .about = "What a prompt offers"  \
    }

const HfParam hf_page_dialog_fields[] = {
    DIALOG_FIELDS,
    {0},
};
static const HfParam answered_fields[] = {
    DIALOG_FIELDS,
    {.name = "answered",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = hf_dialog_choices,
     .about = "How"},
    {0},
};
const HfParam hf_page_answered = {
    .name = "dialog", .type = HF_TYPE_OBJECT, .fields = answered_fields, .about = "A dialog"};
const HfParam hf_page_opened_fields[] = {
    {.name = "tab", .type = HF_TYPE_STRING, .required = TRUE, .about = "The tab"},
    {.name = "url", .type = HF_TYPE_STRING, .required = TRUE, .others = TRUE, .about = "Address"},
    {.name = "front", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "It is in front"},
    {0},
};
static const HfParam download_fields[] = {
    {.name = "url",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "From where"},
    {.name = "name",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "What the server calls it"},
    {.name = "state",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = states,
     .about = "How far it is"},
    {.name = "bytes", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Fetched so far"},
    {.name = "file", .type = HF_TYPE_STRING, .about = "Where it is, when it is complete"},
    {.name = "problem", .type = HF_TYPE_STRING, .about = "Why it failed"},
    {0},
};
const HfParam hf_page_download = {
    .name = "download", .type = HF_TYPE_OBJECT, .fields = download_fields, .about = "A file"};
const HfParam hf_page_blocked = {
    .name = "host", .type = HF_TYPE_STRING, .others = TRUE, .about = "Host or address"};
static const HfParam box_fields[] = {
    {.name = "x", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "From the left of its frame"},
    {.name = "y", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "From the top of its frame"},
    {.name = "width", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "In pixels of the page"},
    {.name = "height", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "In pixels of the page"},
    {0},
};
const HfParam hf_page_element_fields[] = {
    {.name = "ref", .type = HF_TYPE_STRING, .required = TRUE, .about = "To name it again: r12"},
    {.name = "role", .type = HF_TYPE_STRING, .required = TRUE, .about = "What it is"},
    {.name = "name",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "What it is called"},
    {.name = "tag", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its HTML element"},
    {.name = "box",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = box_fields,
     .about = "Where it was in its frame"},
    {.name = "visible", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Whether it shows"},
    {.name = "secure", .type = HF_TYPE_BOOLEAN, .about = "A password field: it is not read"},
    {0},
};

/* ---- which tab ---- */

static gboolean get_tab(const HfCall *call, guint *ret_number, GError **error)
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
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "tab: '%s' is no tab; they are called t1, t2, ...",
            name);
    hf_error_suggest(error, "see the tabs: browser_tabs");
    return FALSE;
}

/* What decides whether its windows are blocked: the fence, and what is written above them. */
static char *dup_showing(const HfTabSession *visit)
{
    hf_cdp_lock(visit->browser->cdp);
    char *showing =
        g_strdup_printf("%" G_GUINT64_FORMAT " %u %u %s", hf_fence_number(visit->context),
                        visit->browser->opened, visit->tab->number, visit->tab->title);
    hf_cdp_unlock(visit->browser->cdp);
    return showing;
}

static gboolean is_window_check_current(const HfTabSession *visit, const char *showing)
{
    hf_cdp_lock(visit->browser->cdp);
    gboolean known = g_strcmp0(visit->browser->unfenced, showing) == 0;
    hf_cdp_unlock(visit->browser->cdp);
    return known;
}

static void keep_window_check(const HfTabSession *visit, char *take_showing)
{
    hf_cdp_lock(visit->browser->cdp);
    g_free(visit->browser->unfenced);
    visit->browser->unfenced = take_showing;
    hf_cdp_unlock(visit->browser->cdp);
}

/* The owner may have blocked what it shows, by its title or its program. Windows are listed only
 * when that may have changed. */
static gboolean check_browser_windows(const HfTabSession *visit, GError **error)
{
    if (hf_fence_is_open(visit->context))
        return TRUE;
    g_autofree char *showing = dup_showing(visit);
    if (is_window_check_current(visit, showing))
        return TRUE;
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(visit->context), NULL);
    for (guint i = 0; windows && i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->pid == hf_chromium_get_pid(visit->browser->chromium) &&
            !hf_fence_check_window(visit->context, window->id, error))
            return FALSE;
    }
    if (windows)
        keep_window_check(visit, g_steal_pointer(&showing));
    return TRUE;
}

gboolean hf_call_begin_tab_session(HfCall *call, HfTabSessionKind kind, HfTabSession *visit,
                                   GError **error)
{
    guint tab;
    const char *dialog = hf_call_string(call, "dialog");
    *visit = (HfTabSession){.context = hf_call_context(call),
                            .walls = hf_call_walls(call),
                            .deadline = *hf_call_deadline(call),
                            .download_dir = hf_call_string(call, "download_dir"),
                            .dialog = !dialog                         ? 0
                                      : g_str_equal(dialog, "accept") ? 1
                                                                      : -1,
                            .dialog_text = hf_call_string(call, "dialog_text")};
    return get_tab(call, &tab, error) && hf_tab_session_begin(visit, kind, tab, error) &&
           check_browser_windows(visit, error);
}

/* ---- which element ---- */

gboolean hf_call_get_page_request(const HfCall *call, HfPageRequest *ret_ask, json_t **ret_query,
                                  GError **error)
{
    const char *selector = hf_call_string(call, "selector");
    *ret_query = selector ? hf_page_query_parse(selector, error) : NULL;
    if (selector && !*ret_query)
        return FALSE;
    *ret_ask = (HfPageRequest){.query = *ret_query,
                               .selector = selector,
                               .nth = hf_call_int(call, "nth"),
                               .has_nth = hf_call_has(call, "nth")};
    return TRUE;
}
