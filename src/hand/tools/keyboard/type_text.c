/* SPDX-License-Identifier: Apache-2.0 */
/* type_text: types text of any script into the focused window. A longer text is inserted through
 * accessibility where the field supports it, and read back. Everything else goes by keys or the
 * clipboard. */
#include <string.h>

#include "hand/atspi/act/field-text.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/tools/keyboard/call-keys.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const methods[] = {"auto", "keys", "paste", NULL};
static const char *const used_methods[] = {"auto", "keys", "paste", "tree", NULL};

/* Shorter texts are typed sooner than the focused field is found. */
#define INSERT_MIN_CHARS 20
/* How long the window manager may take to announce a new focus. */
#define FOCUS_ANNOUNCED_MS 1000

static HfTypingMethod get_typing_method(const char *name)
{
    return (HfTypingMethod)(g_str_equal(name, "keys")    ? HF_TYPING_KEYS
                            : g_str_equal(name, "paste") ? HF_TYPING_PASTE
                                                         : HF_TYPING_AUTO);
}

static json_t *typed_window_to_json(HfDesktop *desktop, guint32 id)
{
    g_autoptr(HfWindow) window = hf_windows_get(desktop, id, NULL);
    return json_pack("{s:I, s:o}", "id", (json_int_t)id, "title",
                     hf_json_text(window ? window->title : ""));
}

/* How many bytes of the text need no key press. Newlines at the end mean the enter key; tabs and
 * other control characters mean keys wherever they are, so nothing can be inserted then. */
static gsize insertable_bytes(const HfTyping *typing)
{
    gsize length = strlen(typing->text);
    if (typing->method != HF_TYPING_AUTO || typing->delay_ms ||
        !g_utf8_validate(typing->text, -1, NULL) ||
        g_utf8_strlen(typing->text, -1) > HF_LIMIT_TYPE_CHARS)
        return 0;
    while (length > 0 && typing->text[length - 1] == '\n')
        length--;
    for (gsize i = 0; i < length; i++)
        if (g_ascii_iscntrl(typing->text[i]) && typing->text[i] != '\n')
            return 0;
    return g_utf8_strlen(typing->text, (gssize)length) >= INSERT_MIN_CHARS ? length : 0;
}

/* Whether it would paste several lines at once. */
static gboolean has_several_lines(const HfTyping *typing)
{
    const char *end = strpbrk(typing->text, "\r\n");
    return typing->method == HF_TYPING_AUTO && !typing->delay_ms && end && end[strspn(end, "\r\n")];
}

/* Returns how many bytes were inserted. Fails only when that is unknown. */
static gboolean insert_by_accessibility(HfCall *call, HfTyping *typing, gsize *ret_bytes,
                                        gboolean *ret_exact, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    gsize length = insertable_bytes(typing);
    g_autoptr(HfElement) field =
        length || has_several_lines(typing)
            ? hf_field_text_find_focused(context, hf_call_deadline(call), NULL)
            : NULL;
    HfFieldInsertion inserted;
    *ret_bytes = 0;
    typing->one_line = field && hf_field_text_is_one_line(field);
    if (!field || !length || !hf_field_text_is_settable(field) ||
        (memchr(typing->text, '\n', length) && !hf_states_have(field->states, HF_STATE_MULTI_LINE)))
        return hf_deadline_check(hf_call_deadline(call), error);
    g_autofree char *body = g_strndup(typing->text, length);
    if (!hf_field_text_insert(field, body, &inserted, error))
        return FALSE;
    *ret_bytes = inserted.done ? length : 0;
    *ret_exact = inserted.exact;
    return TRUE;
}

static json_t *typing_to_json(HfCall *call, const HfTyped *typed, gsize bytes, gboolean exact,
                              gint64 start)
{
    double seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    json_t *result = json_pack(
        "{s:b, s:I, s:s, s:o, s:f}", "success", TRUE, "characters", (json_int_t)typed->characters,
        "method", bytes ? "tree" : methods[typed->method], "window",
        typed_window_to_json(hf_call_desktop(call), typed->window), "duration", seconds);
    if (bytes)
        json_object_set_new(result, "read_back", json_boolean(exact));
    return result;
}

static guint32 get_focused_window(HfDesktop *desktop)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    return focused ? focused->id : 0;
}

static json_t *focus_to_json(const HfWindow *focused)
{
    json_t *json = json_pack("{s:I, s:o}", "window_id", (json_int_t)focused->id, "title",
                             hf_json_text(focused->title));
    if (focused->process)
        json_object_set_new(json, "process", hf_json_text(focused->process));
    if (focused->modal)
        json_object_set_new(json, "modal", json_true());
    return json;
}

/* The window that took the focus; NULL: none did. The display moves the focus before the window
 * manager announces where to, so this waits for the announcement. */
static json_t *wait_for_new_focus(HfCall *call, guint32 before)
{
    HfDesktop *desktop = hf_call_desktop(call);
    HfDeadline limit = hf_deadline_within_ms(hf_call_deadline(call), FOCUS_ANNOUNCED_MS);
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    do {
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
        const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
        if (focused && focused->id != before)
            return focus_to_json(focused);
    } while (watch && hf_window_watch_wait(watch, -1, &limit, NULL));
    return NULL;
}

static void add_typing_progress(HfCall *call, const HfTyped *typed, GError **error)
{
    gboolean lost = *error && hf_error_code(*error) == HF_ERROR_DESKTOP_FOCUS_LOST;
    json_t *details = json_pack("{s:I, s:o}", "characters", (json_int_t)typed->characters, "window",
                                typed_window_to_json(hf_call_desktop(call), typed->window));
    json_t *focus = lost ? wait_for_new_focus(call, typed->window) : NULL;
    if (focus)
        json_object_set_new(details, "focus", focus);
    hf_error_take_details(error, details);
    if (lost)
        hf_error_suggest(error,
                         "focus the window again and type the rest, from character "
                         "%" G_GSIZE_FORMAT " on; or deal with the window that took the focus",
                         typed->characters + 1);
}

static HfResult *run(HfCall *call, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    HfTyping typing = {
        .text = hf_call_string(call, "text"),
        .method = get_typing_method(hf_call_string(call, "method")),
        .delay_ms = (guint)hf_call_int(call, "delay"),
    };
    HfTyped typed = {.window = get_focused_window(hf_call_desktop(call))};
    gint64 start = g_get_monotonic_time();
    gsize bytes;
    gboolean exact = FALSE;
    if (!hf_call_check_password_focus(call, error) ||
        !insert_by_accessibility(call, &typing, &bytes, &exact, error))
        return NULL;
    glong before = g_utf8_strlen(typing.text, (gssize)bytes);
    typing.text += bytes;
    gboolean done =
        !*typing.text || hf_keyboard_type(context, &typing, &typed, hf_call_deadline(call), error);
    typed.characters += (gsize)before;
    if (done)
        return hf_result_new(typing_to_json(call, &typed, bytes, exact, start));
    if (typed.window)
        add_typing_progress(call, &typed, error);
    return NULL;
}

static const HfParam params[] = {
    HF_REQUIRED("text", HF_TYPE_STRING,
                "Any Unicode text. A newline is the enter key, a tab the tab key; backspace (\\b) "
                "and escape (\\u001b) are keys too",
                .min = 1, .max = HF_LIMIT_TYPE_CHARS * 4.0, .secret = TRUE,
                .means = HF_MEANS_TYPED),
    HF_OPTIONAL("delay", HF_TYPE_NUMBER,
                "Milliseconds between characters; 0: as fast as the program reads", .min = 0,
                .max = 5000, .fallback = "0"),
    HF_OPTIONAL("method", HF_TYPE_STRING,
                "keys: press keys. paste: through the clipboard, whose content is restored. auto: "
                "longer texts by an accessibility call where the field supports it, else paste for "
                "long texts and for scripts that the keyboard lacks, else keys; terminals get "
                "keys, and so do lines for fields and sheets that take one at a time",
                .choices = methods, .fallback = "\"auto\""),
    {0},
};

static const HfParam window_fields[] = {
    HF_REQUIRED("id", HF_TYPE_INTEGER, "Its window id"),
    HF_REQUIRED("title", HF_TYPE_STRING, "Its title now"),
    {0},
};

static const HfParam result[] = {
    HF_RESULT_SUCCESS,
    HF_REQUIRED("characters", HF_TYPE_INTEGER, "How many characters were typed"),
    HF_REQUIRED("method", HF_TYPE_STRING, "The method that was used; tree: an accessibility call",
                .choices = used_methods),
    HF_OPTIONAL("read_back", HF_TYPE_BOOLEAN,
                "With tree: whether the field was read back and holds exactly that"),
    HF_REQUIRED("window", HF_TYPE_OBJECT, "The window that received the text",
                .fields = window_fields),
    HF_REQUIRED("duration", HF_TYPE_NUMBER, "Seconds it took"),
    {0},
};

const HfTool hf_tool_type_text = {
    .name = "type_text",
    .title = "Type text",
    .summary = "Type text into the focused window as a person would: any script, complete and in "
               "order, with any keyboard layout. Returns when the program has read it. Stops with "
               "DESKTOP_FOCUS_LOST when the focus moves to another window; details.characters then "
               "says how many characters arrived.",
    .category = HF_CATEGORY_KEYBOARD,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_FOCUS,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_TEXT,
    .timeout_ms = 120000,
    .params = params,
    .result = result,
    .run = run,
};
