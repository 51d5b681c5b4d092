/* SPDX-License-Identifier: Apache-2.0 */
/* browser_interact: do something to an element of a page, once it can be done, and say what was
 * seen of it. */
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

/* What each action needs besides. */
static const struct {
    const char *action, *needs, *why;
} needed[] = {
    {"fill", "value", "the text is missing"},
    {"select", "value", "the choice is missing"},
    {"press", "keys", "the keys are missing"},
    {"upload", "files", "the files are missing"},
    {"drag", "to", "where to drag it is missing"},
    {"dialog", "dialog", "accept or dismiss is missing"},
};

static gboolean is_interact_action_in(const char *action, const char *const *list)
{
    return g_strv_contains(list, action);
}

static gboolean check_interact_params(const HfCall *call, const char *action, GError **error)
{
    static const char *const alone[] = {"scroll", "press", "dialog", NULL};
    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++)
        if (g_str_equal(needed[i].action, action) && !hf_call_has(call, needed[i].needs))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: %s", needed[i].needs,
                           needed[i].why);
    if (!hf_call_has(call, "selector") && !is_interact_action_in(action, alone)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "selector: which element is missing");
        hf_error_suggest(error, "see what is there: browser_extract with type snapshot");
        return FALSE;
    }
    if (g_str_equal(action, "scroll") && !hf_call_has(call, "selector") &&
        !hf_call_has(call, "delta_x") && !hf_call_has(call, "delta_y"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "selector: what to scroll to is missing, or how far: delta_y");
    return TRUE;
}

/* Characters, and what pastes; as for the keyboard of the desktop. */
static gboolean page_keys_write_text(const GArray *keys)
{
    int modifiers = 0;
    gboolean character = FALSE, paste = FALSE;
    for (guint i = 0; keys && i < keys->len; i++) {
        guint32 keysym = g_array_index(keys, guint32, i);
        guint32 sign = xkb_keysym_to_utf32(keysym);
        modifiers |= hf_dom_key_modifier(keysym);
        character |= sign >= ' ' && sign != 0x7f;
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

/* What a deed owns while it is done. */
typedef struct Words {
    json_t *query, *to;
    char **files;
    GArray *keys;
} Words;

static void words_clear(Words *words)
{
    json_decref(words->query);
    json_decref(words->to);
    g_strfreev(words->files);
    g_clear_pointer(&words->keys, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

static gboolean read_interact_params(const HfCall *call, Words *words, HfPageRequest *ask,
                                     GError **error)
{
    const char *keys = hf_call_string(call, "keys");
    const char *to = hf_call_string(call, "to");
    const char *single[] = {keys, NULL};
    words->files = hf_call_dup_strings(call, "files");
    return hf_call_get_page_request(call, ask, &words->query, error) &&
           (!keys || (words->keys = hf_keys_parse(single, error))) &&
           (!to || (words->to = hf_page_query_parse(to, error)));
}

static HfPageAction make_deed(const HfCall *call, const Words *words, const HfPageRequest *ask)
{
    return (HfPageAction){
        .action = hf_call_string(call, "action"),
        .selector = ask->selector,
        .query = words->query,
        .has_nth = ask->has_nth,
        .nth = ask->nth,
        .value = hf_call_string(call, "value"),
        .to_selector = hf_call_string(call, "to"),
        .to = words->to,
        .files = words->files,
        .keys = words->keys,
        .writes = page_keys_write_text(words->keys),
        .at = hf_call_json(call, "at"),
        .delta_x = hf_call_number(call, "delta_x"),
        .delta_y = hf_call_number(call, "delta_y"),
        .button = hf_call_string(call, "button"),
        .modifiers = get_dom_modifiers(call),
        .agreed = hf_call_is_agreed(call),
    };
}

static HfTabSessionKind session_kind_of_action(const char *action)
{
    return g_str_equal(action, "dialog") ? HF_TAB_SESSION_ANSWERS : HF_TAB_SESSION_READS;
}

static HfResult *run(HfCall *call, GError **error)
{
    const char *action = hf_call_string(call, "action");
    g_auto(HfTabSession) visit = {0};
    g_auto(Words) words = {0};
    HfPageRequest ask;
    if (!check_interact_params(call, action, error) ||
        !read_interact_params(call, &words, &ask, error) ||
        !hf_call_begin_tab_session(call, session_kind_of_action(action), &visit, error))
        return NULL;
    HfPageAction deed = make_deed(call, &words, &ask);
    json_t *result = hf_page_action_run(&visit, &deed, error);
    if (!result)
        return NULL;
    if (g_str_equal(action, "hover"))
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    hf_tab_session_report(&visit, result);
    return hf_result_new(result);
}

/* ---- a dry run ---- */

static gboolean check_files_to_upload(const HfCall *call, const HfPageAction *deed, GError **error)
{
    gboolean uploads = g_str_equal(deed->action, "upload");
    for (char **path = deed->files; uploads && *path; path++)
        if (!hf_page_file_check(hf_call_walls(call), *path, error))
            return FALSE;
    return TRUE;
}

static gboolean check_open(HfCall *call, GError **error)
{
    if (hf_browsers_are_running(hf_call_desktop(call), hf_call_walls(call)))
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "no page is open");
    hf_error_suggest(error, "open one: browser_navigate");
    return FALSE;
}

static gboolean writes_text(const HfPageAction *deed)
{
    return g_str_equal(deed->action, "fill") || deed->writes;
}

/* What has no element: a wheel, keys for what has the focus, the answer to a dialog. */
static gboolean preview_page(HfTabSession *visit, const HfPageAction *deed, json_t *target,
                             GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(visit);
    if (g_str_equal(deed->action, "dialog") && !dialog)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the page shows no dialog");
    if (dialog)
        json_object_set(target, "dialog", dialog);
    else if (writes_text(deed) && !hf_page_action_check_focus(visit, &problem) &&
             hf_error_code(problem) == HF_ERROR_DESKTOP_CONFIRM_REQUIRED)
        json_object_set_new(target, "asks_owner", json_true());
    return TRUE;
}

/* A file goes into a field that may be hidden; the text of a label's field is in the field. */
static gboolean preview_element(HfTabSession *visit, const HfPageAction *deed, json_t *target,
                                GBytes **ret_picture, GError **error)
{
    g_auto(HfPageTarget) found = {0};
    HfPageRequest ask = hf_page_action_request(deed);
    gboolean uploads = g_str_equal(deed->action, "upload");
    ask.needs = (HfPageNeeds){.hit = !uploads};
    ask.retarget = uploads || writes_text(deed);
    if (!hf_page_target_act(visit, &ask, &found, error))
        return FALSE;
    const json_t *element = json_object_get(found.reply, "element");
    json_object_set_new(target, "element", json_deep_copy(element));
    if (writes_text(deed) && hf_json_bool(element, "secure", FALSE))
        json_object_set_new(target, "asks_owner", json_true());
    *ret_picture = hf_page_picture_marked(visit, element, &found.offset);
    return TRUE;
}

gboolean hf_page_preview(HfCall *call, json_t *target, GBytes **ret_picture, GError **error)
{
    const char *action = hf_call_string(call, "action");
    g_auto(HfTabSession) visit = {0};
    g_auto(Words) words = {0};
    HfPageRequest ask;
    if (!check_interact_params(call, action, error) ||
        !read_interact_params(call, &words, &ask, error))
        return FALSE;
    HfPageAction deed = make_deed(call, &words, &ask);
    if (!check_files_to_upload(call, &deed, error) || !check_open(call, error) ||
        !hf_call_begin_tab_session(call, session_kind_of_action(action), &visit, error))
        return FALSE;
    return deed.query ? preview_element(&visit, &deed, target, ret_picture, error)
                      : preview_page(&visit, &deed, target, error);
}

/* ---- in words ---- */

static const HfParam modifier = {
    .name = "modifier", .type = HF_TYPE_STRING, .choices = modifier_names, .about = "A key"};
static const HfParam file = {.name = "file",
                             .type = HF_TYPE_STRING,
                             .means = HF_MEANS_PATH,
                             .min = 1,
                             .max = 4096,
                             .about = "Absolute path"};
static const HfParam at_fields[] = {
    {.name = "x",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = 0,
     .max = 100000,
     .about = "Right"},
    {.name = "y",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .min = 0,
     .max = 100000,
     .about = "Down"},
    {0},
};

static const HfParam params[] = {
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = actions,
     .about =
         "fill: replace the text of a field. select: choose in a list. press: keys. scroll: to "
         "an element, or by delta_x and delta_y. upload: give files. drag: onto another. "
         "dialog: answer the dialog that is open"},
    {.name = "selector",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_PAGE_SELECTOR_BYTES,
     .about = "The element: a ref of a snapshot (r12), CSS (#save), text=Save, "
              "role=button[name=\"Save\"] or button \"Save\"; in any frame. Exactly one must fit"},
    {.name = "nth",
     .type = HF_TYPE_INTEGER,
     .min = -10000,
     .max = 10000,
     .about = "Which of several that fit: 0 is the first, -1 the last"},
    {.name = "value",
     .type = HF_TYPE_STRING,
     .max = HF_LIMIT_TYPE_CHARS * 4.0,
     .secret = TRUE,
     .means = HF_MEANS_TYPED,
     .about = "For fill: the whole text. For select: the choice, by its value or what it says"},
    {.name = "keys",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_KEYS,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES * HF_LIMIT_KEYS,
     .about = "For press: enter, ctrl+a, down, ...; to the element, else to what has the focus"},
    {.name = "files",
     .type = HF_TYPE_ARRAY,
     .items = &file,
     .means = HF_MEANS_PATH,
     .min = 1,
     .max = HF_LIMIT_UPLOAD_FILES,
     .about = "For upload: files in allowed directories"},
    {.name = "to",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_PAGE_SELECTOR_BYTES,
     .about = "For drag: the element to drop it on, as selector"},
    {.name = "at",
     .type = HF_TYPE_OBJECT,
     .fields = at_fields,
     .about = "A point of the element, from its upper left corner, instead of its middle"},
    {.name = "button",
     .type = HF_TYPE_STRING,
     .choices = buttons,
     .fallback = "\"left\"",
     .about = "For click"},
    {.name = "modifiers",
     .type = HF_TYPE_ARRAY,
     .items = &modifier,
     .max = 4,
     .about = "Keys that are down while it is clicked"},
    {.name = "delta_x",
     .type = HF_TYPE_NUMBER,
     .min = -100000,
     .max = 100000,
     .about = "For scroll: pixels to the right"},
    {.name = "delta_y",
     .type = HF_TYPE_NUMBER,
     .min = -100000,
     .max = 100000,
     .about = "For scroll: pixels down"},
    HF_PARAM_TAB,
    HF_PARAM_DIALOG,
    {0},
};

static const HfParam file_name = {
    .name = "file", .type = HF_TYPE_STRING, .others = TRUE, .about = "Its name"};

static const HfParam result[] = {
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = actions,
     .about = "What was done"},
    {.name = "confirmed",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Whether it was seen what was asked for; a click that only arrived is not"},
    {.name = "seen", .type = HF_TYPE_STRING, .required = TRUE, .about = "What was seen of it"},
    HF_RESULT_PAGE_ELEMENT("element", "The element, as it was before"),
    HF_RESULT_PAGE_ELEMENT("to", "With drag: where it was dropped"),
    {.name = "value",
     .type = HF_TYPE_STRING,
     .others = TRUE,
     .about = "What it holds now; never that of a password field"},
    {.name = "read_back",
     .type = HF_TYPE_BOOLEAN,
     .about = "With fill: whether it holds exactly what was asked for"},
    {.name = "checked", .type = HF_TYPE_BOOLEAN, .about = "Whether it is checked now"},
    {.name = "changed", .type = HF_TYPE_BOOLEAN, .about = "With check: whether it was not before"},
    {.name = "expanded", .type = HF_TYPE_BOOLEAN, .about = "Whether it is open now"},
    {.name = "moved", .type = HF_TYPE_BOOLEAN, .about = "With scroll: whether something moved"},
    {.name = "page_changed",
     .type = HF_TYPE_BOOLEAN,
     .about = "Something of the page changed at that moment"},
    {.name = "files",
     .type = HF_TYPE_ARRAY,
     .items = &file_name,
     .about = "With upload: what the field holds"},
    {.name = "answered",
     .type = HF_TYPE_OBJECT,
     .fields = hf_page_dialog_fields,
     .about = "The dialog that was answered"},
    HF_RESULT_VISIT,
    {0},
};

const HfTool hf_tool_browser_interact = {
    .name = "browser_interact",
    .title = "Act on a page",
    .summary =
        "Click, fill, select, check, hover, scroll, press keys, upload, drag on an element of "
        "the page in the browser, or answer its dialog. Waits until the element is there, "
        "shows, has stopped moving, is enabled and is not covered, and says why when it is "
        "not. The result says what was seen: the value read back, a new page, a dialog, a "
        "download",
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
