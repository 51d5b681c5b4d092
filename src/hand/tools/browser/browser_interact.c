/* SPDX-License-Identifier: Apache-2.0 */
/* browser_interact: acts on an element of a page once that is possible, and reports what was seen.
 */
#include <xkbcommon/xkbcommon.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/browsers.h"
#include "hand/browser/network/page-files.h"
#include "hand/browser/page/dom-key.h"
#include "hand/browser/page/page-action.h"
#include "hand/browser/page/page-query.h"
#include "hand/desktop/keyboard.h"
#include "hand/tools/browser/call-page.h"
#include "hand/tools/browser/page-picture.h"
#include "hand/tools/call-undo.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {"click",   "double_click", "fill",   "select", "check",
                                      "uncheck", "hover",        "scroll", "press",  "focus",
                                      "upload",  "drag",         "dialog", NULL};
static const char *const buttons[] = {"left", "right", "middle", NULL};
static const char *const modifier_names[] = {"alt", "ctrl", "meta", "shift", NULL};

/* Parameters that an action requires. */
static const struct {
    const char *action, *needs, *what;
} needed[] = {
    {"fill", "value", "the text to fill in"},    {"select", "value", "the option to select"},
    {"press", "keys", "the keys to press"},      {"upload", "files", "the files to upload"},
    {"drag", "to", "the element to drop it on"}, {"dialog", "dialog", "accept or dismiss"},
};

static gboolean check_interact_params(const HfCall *call, const char *action, GError **error)
{
    static const char *const without_element[] = {"scroll", "press", "dialog", NULL};
    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++)
        if (g_str_equal(needed[i].action, action) && !hf_call_has(call, needed[i].needs))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is required with the action %s: %s",
                           needed[i].needs, action, needed[i].what);
    if (!hf_call_has(call, "selector") && !g_strv_contains(without_element, action)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "selector: is required with the action %s", action);
        hf_error_suggest(error, "list the elements: browser_extract with type snapshot");
        return FALSE;
    }
    if (g_str_equal(action, "scroll") && !hf_call_has(call, "selector") &&
        !hf_call_has(call, "delta_x") && !hf_call_has(call, "delta_y"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "selector: is required with the action scroll, or delta_x or delta_y");
    return TRUE;
}

/* Characters and the keys that paste do, as in call-keys.c. */
static gboolean page_keys_write_text(const GArray *keys)
{
    int modifiers = 0;
    gboolean character = FALSE, paste = FALSE;
    for (guint i = 0; keys && i < keys->len; i++) {
        guint32 keysym = g_array_index(keys, guint32, i);
        guint32 code = xkb_keysym_to_utf32(keysym);
        modifiers |= hf_dom_key_modifier(keysym);
        character |= code >= ' ' && code != 0x7f;
        paste |= keysym == XKB_KEY_v || keysym == XKB_KEY_V || keysym == XKB_KEY_Insert;
    }
    return modifiers & HF_DOM_CTRL ? paste : modifiers & ~HF_DOM_SHIFT ? FALSE : character || paste;
}

static int get_dom_modifiers(const HfCall *call)
{
    g_auto(GStrv) names = hf_call_dup_strings(call, "modifiers");
    int modifiers = 0;
    for (int i = 0; modifier_names[i]; i++)
        if (g_strv_contains((const char *const *)names, modifier_names[i]))
            modifiers |= 1 << i;
    return modifiers;
}

/* Parameters that a page action borrows. */
typedef struct ActionParams {
    json_t *query, *to;
    char **files;
    GArray *keys;
} ActionParams;

static void action_params_clear(ActionParams *params)
{
    json_decref(params->query);
    json_decref(params->to);
    g_strfreev(params->files);
    g_clear_pointer(&params->keys, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ActionParams, action_params_clear)

static gboolean read_interact_params(const HfCall *call, ActionParams *params,
                                     HfPageRequest *request, GError **error)
{
    const char *keys = hf_call_string(call, "keys");
    const char *to = hf_call_string(call, "to");
    const char *single[] = {keys, NULL};
    params->files = hf_call_dup_strings(call, "files");
    return hf_call_get_page_request(call, request, &params->query, error) &&
           (!keys || (params->keys = hf_keys_parse(single, error))) &&
           (!to || (params->to = hf_page_query_parse(to, error)));
}

static HfPageAction make_page_action(const HfCall *call, const ActionParams *params,
                                     const HfPageRequest *request)
{
    return (HfPageAction){
        .action = hf_call_string(call, "action"),
        .selector = request->selector,
        .query = params->query,
        .has_nth = request->has_nth,
        .nth = request->nth,
        .value = hf_call_string(call, "value"),
        .to_selector = hf_call_string(call, "to"),
        .to = params->to,
        .files = params->files,
        .keys = params->keys,
        .writes = page_keys_write_text(params->keys),
        .at = hf_call_json(call, "at"),
        .delta_x = hf_call_number(call, "delta_x"),
        .delta_y = hf_call_number(call, "delta_y"),
        .button = hf_call_string(call, "button"),
        .modifiers = get_dom_modifiers(call),
        .agreed = hf_call_is_approved(call),
    };
}

static HfTabSessionKind session_kind_of_action(const char *action)
{
    return g_str_equal(action, "dialog") ? HF_TAB_SESSION_ANSWERS : HF_TAB_SESSION_READS;
}

static HfResult *run(HfCall *call, GError **error)
{
    const char *action = hf_call_string(call, "action");
    g_auto(HfTabSession) session = {0};
    g_auto(ActionParams) params = {0};
    HfPageRequest request;
    if (!check_interact_params(call, action, error) ||
        !read_interact_params(call, &params, &request, error) ||
        !hf_call_begin_tab_session(call, session_kind_of_action(action), &session, error))
        return NULL;
    HfPageAction page_action = make_page_action(call, &params, &request);
    json_t *result = hf_page_action_run(&session, &page_action, error);
    if (!result)
        return NULL;
    if (g_str_equal(action, "hover"))
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    hf_tab_session_report(&session, result);
    return hf_result_new(result);
}

/* ---- a dry run ---- */

static gboolean check_files_to_upload(const HfCall *call, const HfPageAction *page_action,
                                      GError **error)
{
    gboolean uploads = g_str_equal(page_action->action, "upload");
    for (char **path = page_action->files; uploads && *path; path++)
        if (!hf_page_file_check(hf_call_walls(call), *path, error))
            return FALSE;
    return TRUE;
}

static gboolean check_page_open(HfCall *call, GError **error)
{
    if (hf_browsers_are_running(hf_call_desktop(call), hf_call_walls(call)))
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "no page is open");
    hf_error_suggest(error, "open one with browser_navigate");
    return FALSE;
}

static gboolean writes_text(const HfPageAction *page_action)
{
    return g_str_equal(page_action->action, "fill") || page_action->writes;
}

/* Actions without an element: the wheel, keys for the focused element, the answer to a dialog. */
static gboolean preview_page_action(HfTabSession *session, const HfPageAction *page_action,
                                    json_t *target, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(session);
    if (g_str_equal(page_action->action, "dialog") && !dialog)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the page shows no dialog");
    if (dialog)
        json_object_set(target, "dialog", dialog);
    else if (writes_text(page_action) && !hf_page_action_check_focus(session, &problem) &&
             hf_error_code(problem) == HF_ERROR_DESKTOP_CONFIRM_REQUIRED)
        json_object_set_new(target, "asks_owner", json_true());
    return TRUE;
}

/* A field for files may be hidden, and a label stands for its field. */
static gboolean preview_page_element(HfTabSession *session, const HfPageAction *page_action,
                                     json_t *target, GBytes **ret_picture, GError **error)
{
    g_auto(HfPageTarget) found = {0};
    HfPageRequest request = hf_page_action_request(page_action);
    gboolean uploads = g_str_equal(page_action->action, "upload");
    request.needs = (HfPageNeeds){.hit = !uploads};
    request.retarget = uploads || writes_text(page_action);
    if (!hf_page_target_act(session, &request, &found, error))
        return FALSE;
    const json_t *element = json_object_get(found.reply, "element");
    json_object_set_new(target, "element", json_deep_copy(element));
    if (writes_text(page_action) && hf_json_bool(element, "secure", FALSE))
        json_object_set_new(target, "asks_owner", json_true());
    *ret_picture = hf_page_picture_marked(session, element, &found.offset);
    return TRUE;
}

gboolean hf_page_preview(HfCall *call, json_t *target, GBytes **ret_picture, GError **error)
{
    const char *action = hf_call_string(call, "action");
    g_auto(HfTabSession) session = {0};
    g_auto(ActionParams) params = {0};
    HfPageRequest request;
    if (!check_interact_params(call, action, error) ||
        !read_interact_params(call, &params, &request, error))
        return FALSE;
    HfPageAction page_action = make_page_action(call, &params, &request);
    if (!check_files_to_upload(call, &page_action, error) || !check_page_open(call, error) ||
        !hf_call_begin_tab_session(call, session_kind_of_action(action), &session, error))
        return FALSE;
    return page_action.query
               ? preview_page_element(&session, &page_action, target, ret_picture, error)
               : preview_page_action(&session, &page_action, target, error);
}

/* ---- parameters and result ---- */

static const HfParam modifier = {
    .name = "modifier", .type = HF_TYPE_STRING, .choices = modifier_names, .about = "A key"};
static const HfParam file =
    HF_STRING("file", "Absolute path", .means = HF_MEANS_PATH, .min = 1, .max = 4096);
static const HfParam at_fields[] = {
    HF_REQUIRED("x", HF_TYPE_NUMBER, "Right", .min = 0, .max = 100000),
    HF_REQUIRED("y", HF_TYPE_NUMBER, "Down", .min = 0, .max = 100000),
    {0},
};

static const HfParam params[] = {
    HF_REQUIRED("action", HF_TYPE_STRING,
                "fill: replace the text of a field. select: choose in a list. press: keys. scroll: "
                "to an element, or by delta_x and delta_y. upload: give files. drag: onto another. "
                "dialog: answer the dialog that is open",
                .choices = actions),
    HF_OPTIONAL(
        "selector", HF_TYPE_STRING,
        "The element: a ref of a snapshot (r12), CSS (#save), text=Save, "
        "role=button[name=\"Save\"] or button \"Save\"; in any frame. Exactly one must match",
        .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_PAGE_SELECTOR_BYTES),
    HF_PARAM_NTH,
    HF_OPTIONAL("value", HF_TYPE_STRING,
                "For fill: the whole text. For select: the value or the label of the option",
                .max = HF_LIMIT_TYPE_CHARS * 4.0, .secret = TRUE, .means = HF_MEANS_TYPED),
    HF_OPTIONAL("keys", HF_TYPE_STRING,
                "For press: enter, ctrl+a, down, ...; sent to the element, or to the focused one "
                "without selector",
                .means = HF_MEANS_KEYS, .min = 1, .max = HF_LIMIT_NAME_BYTES * HF_LIMIT_KEYS),
    HF_OPTIONAL("files", HF_TYPE_ARRAY, "For upload: files in allowed directories", .items = &file,
                .means = HF_MEANS_PATH, .min = 1, .max = HF_LIMIT_UPLOAD_FILES),
    HF_OPTIONAL("to", HF_TYPE_STRING, "For drag: the selector of the element to drop it on",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_PAGE_SELECTOR_BYTES),
    HF_OPTIONAL("at", HF_TYPE_OBJECT,
                "A point in the element, from its upper left corner, instead of its middle",
                .fields = at_fields),
    HF_OPTIONAL("button", HF_TYPE_STRING, "For click", .choices = buttons, .fallback = "\"left\""),
    HF_OPTIONAL("modifiers", HF_TYPE_ARRAY, "Keys to hold down during the click",
                .items = &modifier, .max = 4),
    HF_OPTIONAL("delta_x", HF_TYPE_NUMBER, "For scroll: pixels to the right", .min = -100000,
                .max = 100000),
    HF_OPTIONAL("delta_y", HF_TYPE_NUMBER, "For scroll: pixels down", .min = -100000,
                .max = 100000),
    HF_PARAM_TAB,
    HF_PARAM_DIALOG,
    {0},
};

static const HfParam file_name = {
    .name = "file", .type = HF_TYPE_STRING, .others = TRUE, .about = "Its name"};

static const HfParam result[] = {
    HF_REQUIRED("action", HF_TYPE_STRING, "What was done", .choices = actions),
    HF_REQUIRED(
        "confirmed", HF_TYPE_BOOLEAN,
        "Whether the requested outcome was seen; a click that only arrived is not confirmed"),
    HF_REQUIRED("seen", HF_TYPE_STRING, "What was seen"),
    HF_RESULT_PAGE_ELEMENT("element", "The element as it was before"),
    HF_RESULT_PAGE_ELEMENT("to", "With drag: the element it was dropped on"),
    HF_OPTIONAL("value", HF_TYPE_STRING, "Its value now; never that of a password field",
                .others = TRUE),
    HF_OPTIONAL("read_back", HF_TYPE_BOOLEAN,
                "With fill: whether it holds exactly the requested text"),
    HF_OPTIONAL("checked", HF_TYPE_BOOLEAN, "Whether it is checked now"),
    HF_OPTIONAL("changed", HF_TYPE_BOOLEAN, "With check: whether that changed"),
    HF_OPTIONAL("expanded", HF_TYPE_BOOLEAN, "Whether it is expanded now"),
    HF_OPTIONAL("moved", HF_TYPE_BOOLEAN, "With scroll: whether something moved"),
    HF_OPTIONAL("page_changed", HF_TYPE_BOOLEAN, "Something on the page changed at that moment"),
    HF_OPTIONAL("files", HF_TYPE_ARRAY, "With upload: the files that the field holds",
                .items = &file_name),
    HF_OPTIONAL("answered", HF_TYPE_OBJECT, "The dialog that was answered",
                .fields = hf_page_dialog_fields),
    HF_RESULT_TAB_SESSION,
    {0},
};

const HfTool hf_tool_browser_interact = {
    .name = "browser_interact",
    .title = "Act on a page",
    .summary =
        "Click, fill, select, check, hover, scroll, press keys, upload, drag on an element of the "
        "page in the browser, or answer its dialog. Waits until the element exists, is visible, "
        "enabled and uncovered, and has stopped moving; the error says which of these failed. The "
        "result says what was seen: the value read back, a new page, a dialog, a download",
    .category = HF_CATEGORY_BROWSER,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_PAGE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_PAGE,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .run = run,
};
