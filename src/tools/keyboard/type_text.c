/* type_text: text of any script into the window that has the keyboard focus. */
#include "base/error.h"
#include "platform/windows.h"
#include "tools/keyboard/keyboard.h"

static const char *const methods[] = {"auto", "keys", "paste", NULL};

static HfTypingMethod method_of(const char *name)
{
    return (HfTypingMethod)(g_str_equal(name, "keys")    ? HF_TYPING_KEYS
                            : g_str_equal(name, "paste") ? HF_TYPING_PASTE
                                                         : HF_TYPING_AUTO);
}

static json_t *window_to_json(HfDesktop *desktop, guint32 id)
{
    g_autoptr(HfWindow) window = hf_windows_get(desktop, id, NULL);
    return json_pack("{s:I, s:o}", "id", (json_int_t)id, "title",
                     hf_json_text(window ? window->title : ""));
}

static HfResult *run(HfCall *call, GError **error)
{
    HfDesktop *desktop = hf_call_desktop(call);
    HfTyping typing = {
        .text = hf_call_string(call, "text"),
        .method = method_of(hf_call_string(call, "method")),
        .delay_ms = (guint)hf_call_int(call, "delay"),
    };
    HfTyped typed;
    gint64 start = g_get_monotonic_time();
    if (!hf_keyboard_type(desktop, &typing, &typed, hf_call_deadline(call), error)) {
        if (typed.window)
            hf_error_take_details(error, json_pack("{s:I, s:o}", "characters",
                                                   (json_int_t)typed.characters, "window",
                                                   window_to_json(desktop, typed.window)));
        return NULL;
    }
    double seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    return hf_result_new(json_pack("{s:b, s:I, s:s, s:o, s:f}", "success", TRUE, "characters",
                                   (json_int_t)typed.characters, "method", methods[typed.method],
                                   "window", window_to_json(desktop, typed.window), "duration",
                                   seconds));
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
         "paste long texts and scripts that the keyboard lacks, else keys; terminals get keys"},
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
     .choices = methods,
     .about = "keys or paste: what was used"},
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
    .timeout_ms = 120000,
    .params = params,
    .result = result,
    .run = run,
};
