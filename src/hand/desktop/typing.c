/* SPDX-License-Identifier: Apache-2.0 */
/* How a text gets into a program: by keys or by pasting. Pasting is quick and exact for long texts
 * and other scripts, but a pasted tab or escape is not the key, terminals may run what is pasted,
 * and some programs paste by other chords (data/paste.json) or not at all. What a program did not
 * fetch was not pasted, and is then typed. */
#include <string.h>

#include "hand/desktop/clipboard.h"
#include "hand/desktop/keyboard.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/target-window.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* From this many characters on, pasting is worth the clipboard's trouble. */
#define PASTE_FROM 100
/* How long a program may take to ask for the text after it has read the paste chord. */
#define FETCH_MS 1000

typedef struct PasteRule {
    char **keys; /* empty: it does not paste by a chord */
    HfSelection selection;
    gboolean terminal;
} PasteRule;

static gpointer load_rules(gpointer unused)
{
    json_t *rules = json_loads(hf_data_find("paste.json"), 0, NULL);
    g_assert(rules);
    return rules;
}

static void paste_rule_clear(PasteRule *rule)
{
    g_strfreev(rule->keys);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PasteRule, paste_rule_clear)

static PasteRule find_rule(const char *class_name)
{
    static GOnce once = G_ONCE_INIT;
    const json_t *rules = g_once(&once, load_rules, NULL);
    g_autofree char *lower = g_utf8_strdown(class_name, -1);
    const json_t *entry = json_object_get(json_object_get(rules, "classes"), lower);
    if (!entry)
        entry = json_object_get(rules, "default");
    g_autoptr(GStrvBuilder) keys = g_strv_builder_new();
    const json_t *names = json_object_get(entry, "keys");
    for (size_t i = 0; i < json_array_size(names); i++)
        g_strv_builder_add(keys, json_string_value(json_array_get(names, i)));
    gboolean primary = g_str_equal(hf_json_string(entry, "selection", ""), "primary");
    return (PasteRule){
        .keys = g_strv_builder_end(keys),
        .selection = primary ? HF_SELECTION_PRIMARY : HF_SELECTION_CLIPBOARD,
        .terminal = hf_json_bool(entry, "terminal", FALSE),
    };
}

static gboolean is_typable(gunichar character)
{
    if (character == '\n' || character == '\r' || character == '\t' || character == '\b' ||
        character == 0x1b)
        return TRUE;
    gboolean no_character =
        (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
    return !g_unichar_iscntrl(character) && !no_character;
}

static gboolean check_typable_text(const char *text, GError **error)
{
    glong offset = 0;
    if (!g_utf8_validate(text, -1, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "text: not valid UTF-8");
    for (const char *rest = text; *rest; rest = g_utf8_next_char(rest), offset++)
        if (!is_typable(g_utf8_get_char(rest))) {
            hf_fail(error, HF_ERROR_INVALID_PARAMS,
                    "text: character %ld, U+%04X, is on no keyboard; only newline, tab, backspace "
                    "and escape are typed as keys",
                    offset, g_utf8_get_char(rest));
            hf_error_take_details(error, json_pack("{s:I}", "offset", (json_int_t)offset));
            return FALSE;
        }
    if (offset > (glong)HF_LIMIT_TYPE_CHARS)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "text: %ld characters, but %u at most can be typed at once", offset,
                       HF_LIMIT_TYPE_CHARS);
    return TRUE;
}

typedef struct PasteChord {
    const HfCallContext *context;
    const GArray *keysyms;
    guint32 window;
    const HfDeadline *deadline;
} PasteChord;

/* The program has read the chord when this returns, so that no fetch soon after means none. */
static gboolean press_paste_chord(gpointer data, GError **error)
{
    const PasteChord *chord = data;
    HfDesktop *desktop = hf_call_context_desktop(chord->context);
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    HfChord keys = {chord->keysyms, 1, 0};
    return hf_keyboard_chord(chord->context, &keys, chord->deadline, error) &&
           ops->settle(desktop, chord->window, chord->deadline, error);
}

static gboolean paste_text(const HfCallContext *context, const char *text,
                           const HfTypingTarget *target, const PasteRule *rule,
                           gboolean *ret_fetched, const HfDeadline *deadline, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    *ret_fetched = FALSE;
    if (!rule->keys[0])
        return TRUE;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *const *)rule->keys, error);
    if (!keysyms)
        return FALSE;
    PasteChord chord = {context, keysyms, target->window, deadline};
    HfClipboardLoan loan = {
        .selection = rule->selection,
        .text = text,
        .window = target->window,
        .trigger = press_paste_chord,
        .data = &chord,
        .wait_ms = FETCH_MS,
    };
    if (!hf_clipboard_lend(desktop, &loan, ret_fetched, deadline, error))
        return FALSE;
    return !*ret_fetched ||
           desktop->backend->keyboard->settle(desktop, target->window, deadline, error);
}

/* An input method that is switched on would make other text of the keys, so it is avoided.
 * Keys are keys: where pasting would put a character there instead, or run a line unseen. */
static gboolean should_paste(const HfTyping *typing, const HfTypingTarget *target,
                             const PasteRule *rule, const char *body)
{
    if (typing->method != HF_TYPING_AUTO)
        return typing->method == HF_TYPING_PASTE;
    if (typing->delay_ms || !rule->keys[0] || strpbrk(body, "\t\b\x1b"))
        return FALSE;
    if (typing->one_line && strpbrk(body, "\r\n"))
        return FALSE;
    if (rule->terminal)
        return target->input_method && !strpbrk(body, "\r\n");
    return target->input_method || !target->on_keys || g_utf8_strlen(body, -1) >= PASTE_FROM;
}

/* Newlines at the end are meant as the enter key ("send it"), also after a pasted text. */
static char *dup_without_last_lines(const HfTyping *typing)
{
    gsize length = strlen(typing->text);
    while (typing->method == HF_TYPING_AUTO && length > 0 &&
           strchr("\r\n", typing->text[length - 1]))
        length--;
    return g_strndup(typing->text, length);
}

static gboolean type_keys(const HfCallContext *context, const char *text, const HfTyping *typing,
                          HfTyped *typed, const HfDeadline *deadline, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    HfTyping rest = {.text = text, .method = HF_TYPING_KEYS, .delay_ms = typing->delay_ms};
    if (*text)
        hf_desktop_pause_event_listeners(desktop, TRUE);
    HfTyped by_keys = {0};
    gboolean done =
        !*text || desktop->backend->keyboard->type(context, &rest, &by_keys, deadline, error);
    typed->characters += by_keys.characters;
    return done;
}

static gboolean fail_not_pasted(const HfTypingTarget *target, GError **error)
{
    hf_fail(error, HF_ERROR_VERIFY_FAILED,
            "the program ('%s') did not take the text from the clipboard, so nothing was pasted",
            target->class_name);
    hf_error_suggest(error, "use method keys");
    return FALSE;
}

/* Fails only where going on by keys would be wrong: the clipboard's own troubles do not count. */
static gboolean try_paste(const HfCallContext *context, const HfTyping *typing,
                          const HfTypingTarget *target, const char *text, const PasteRule *rule,
                          gboolean *ret_pasted, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) failure = NULL;
    if (paste_text(context, text, target, rule, ret_pasted, deadline, &failure))
        return *ret_pasted || typing->method == HF_TYPING_AUTO || fail_not_pasted(target, error);
    if (typing->method == HF_TYPING_AUTO && !*ret_pasted &&
        g_error_matches(failure, HF_ERROR, HF_ERROR_PRECONDITION_FAILED))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

static gboolean type_at(const HfCallContext *context, const HfTyping *typing,
                        const HfTypingTarget *target, HfTyped *typed, const HfDeadline *deadline,
                        GError **error)
{
    g_auto(PasteRule) rule = find_rule(target->class_name);
    g_autofree char *body = dup_without_last_lines(typing);
    const char *rest = typing->text;
    typed->method = HF_TYPING_KEYS;
    if (*body && should_paste(typing, target, &rule, body)) {
        gboolean pasted = FALSE;
        if (!try_paste(context, typing, target, body, &rule, &pasted, deadline, error))
            return FALSE;
        if (pasted) {
            typed->method = HF_TYPING_PASTE;
            typed->characters = (gsize)g_utf8_strlen(body, -1);
            rest += strlen(body);
        }
    }
    return type_keys(context, rest, typing, typed, deadline, error);
}

gboolean hf_keyboard_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                          const HfDeadline *deadline, GError **error)
{
    *ret_typed = (HfTyped){.method = typing->method};
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (!ops || !ops->type || !ops->get_target || !ops->settle)
        return hf_desktop_fail_unsupported(desktop, "type text", error);
    if (!check_typable_text(typing->text, error))
        return FALSE;
    if (typing->method == HF_TYPING_PASTE && strpbrk(typing->text, "\b\x1b"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "text: backspace and escape are keys and cannot be pasted; use method keys");
    g_auto(HfTypingTarget) target = {0};
    if (!ops->get_target(desktop, typing->text, &target, deadline, error))
        return FALSE;
    if (!hf_target_window_check_focus(context, error) || !hf_fence_check_focus(context, error))
        return FALSE;
    ret_typed->window = target.window;
    return type_at(context, typing, &target, ret_typed, deadline, error);
}
