/* SPDX-License-Identifier: Apache-2.0 */
/* type_text: text of any script into the window that has the keyboard focus. A longer text goes
 * into a field that takes it by an order to its program, and is read back there; keys and the
 * clipboard are for all else. */
#include <string.h>

#include "hand/atspi/act/field-text.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/tools/keyboard/call-keys.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const methods[] = {"auto", "keys", "paste", NULL};
static const char *const used_methods[] = {"auto", "keys", "paste", "tree", NULL};

/* From this many characters on it is worth to ask which field has the focus. */
#define ORDER_FROM 20
/* How long the window manager may take to say who has the focus. */
#define ANNOUNCED_MS 1000

static HfTypingMethod method_of(const char *name)
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

/* How much of the text can be put in without a key: newlines at the end are meant as the enter key,
 * tabs and the like as keys wherever they are. 0: nothing. */
static gsize without_keys(const HfTyping *typing)
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
    return g_utf8_strlen(typing->text, (gssize)length) >= ORDER_FROM ? length : 0;
}

/* Lines that would be pasted together. */
static gboolean has_lines(const HfTyping *typing)
{
    const char *end = strpbrk(typing->text, "\r\n");
    return typing->method == HF_TYPING_AUTO && !typing->delay_ms && end && end[strspn(end, "\r\n")];
}

/* Returns how many bytes have gone in. Fails only when it cannot be known whether any have. */
static gboolean insert_by_accessibility(HfCall *call, HfTyping *typing, gsize *ret_bytes,
                                        gboolean *ret_exact, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    gsize length = without_keys(typing);
    g_autoptr(HfElement) field =
        length || has_lines(typing)
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

static const char *used_method(const HfTyped *typed, gsize bytes)
{
    return bytes ? "tree" : methods[typed->method];
}

static json_t *typing_to_json(HfCall *call, const HfTyped *typed, gsize bytes, gboolean exact,
                              gint64 start)
{
    double seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    json_t *result =
        json_pack("{s:b, s:I, s:s, s:o, s:f}", "success", TRUE, "characters",
                  (json_int_t)typed->characters, "method", used_method(typed, bytes), "window",
                  typed_window_to_json(hf_call_desktop(call), typed->window), "duration", seconds);
    if (bytes)
        json_object_set_new(result, "read_back", json_boolean(exact));
    return result;
}

static guint32 focused_window(HfDesktop *desktop)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    return focused ? focused->id : 0;
}

static json_t *focus_to_json(const HfWindow *focused)
{
    json_t *told = json_pack("{s:I, s:o}", "window_id", (json_int_t)focused->id, "title",
                             hf_json_text(focused->title));
    if (focused->process)
        json_object_set_new(told, "process", hf_json_text(focused->process));
    if (focused->modal)
        json_object_set_new(told, "modal", json_true());
    return told;
}

/* Who has got the keyboard instead; NULL: nobody, or still the same window. The display moves the
 * focus before the window manager says to whom: its word is waited for. */
static json_t *wait_for_new_focus(HfCall *call, guint32 before)
{
    HfDesktop *desktop = hf_call_desktop(call);
    HfDeadline limit = hf_deadline_within_ms(hf_call_deadline(call), ANNOUNCED_MS);
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    do {
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
        const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
        if (focused && focused->id != before)
            return focus_to_json(focused);
    } while (watch && hf_window_watch_wait(watch, -1, &limit, NULL));
    return NULL;
}

static void tell_how_far(HfCall *call, const HfTyped *typed, GError **error)
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
                         "give the window the focus again and type the rest, from character "
                         "%" G_GSIZE_FORMAT " on; or answer what has come",
                         typed->characters + 1);
}

static HfResult *run(HfCall *call, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    HfTyping typing = {
        .text = hf_call_string(call, "text"),
        .method = method_of(hf_call_string(call, "method")),
        .delay_ms = (guint)hf_call_int(call, "delay"),
    };
    HfTyped typed = {.window = focused_window(hf_call_desktop(call))};
    gint64 start = g_get_monotonic_time();
    gsize bytes;
    gboolean exact = FALSE;
    if (!hf_call_may_write(call, error) ||
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
        tell_how_far(call, &typed, error);
    return NULL;
}

static const HfParam params[] = {
    {.name = "text",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TYPE_CHARS * 4.0,
     .secret = TRUE,
     .means = HF_MEANS_TYPED,
     .about =
         "Any Unicode text. A newline is the enter key, a tab the tab key; backspace (\\b) and "
         "escape (\\u001b) are keys too"},
    {.name = "delay",
     .type = HF_TYPE_NUMBER,
     .min = 0,
     .max = 5000,
     .fallback = "0",
     .about = "Milliseconds between characters; 0: as fast as the program reads"},
    {.name = "method",
     .type = HF_TYPE_STRING,
     .choices = methods,
     .fallback = "\"auto\"",
     .about =
         "keys: press keys. paste: through the clipboard, whose content is restored. auto: "
         "longer texts by an order to the program where the field takes it, else paste long texts "
         "and scripts that the keyboard lacks, else keys; terminals get keys, and so do lines for "
         "fields and sheets that take one at a time"},
    {0},
};

static const HfParam window_fields[] = {
    {.name = "id", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Its window id"},
    {.name = "title", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its title now"},
    {0},
};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "characters",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How many characters were typed"},
    {.name = "method",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = used_methods,
     .about = "What was used; tree: its program was told to put it in"},
    {.name = "read_back",
     .type = HF_TYPE_BOOLEAN,
     .about = "With tree: whether the field was seen to hold exactly that"},
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = window_fields,
     .about = "The window that got the text"},
    {.name = "duration", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "Seconds it took"},
    {0},
};

const HfTool hf_tool_type_text = {
    .name = "type_text",
    .title = "Type text",
    .summary = "Type text into the window that has the keyboard focus, as a person would: any "
               "script, whole and in order, whatever the keyboard layout. Returns when the program "
               "has read it. Stops with DESKTOP_FOCUS_LOST when the focus moves to another window; "
               "details.characters then says how many arrived.",
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
