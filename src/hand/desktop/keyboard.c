/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and text. Every press is checked against the fence and the target window first; releases
 * never are, so that nothing stays down.
 *
 * Decides how a text gets into a program: by keys or by pasting. Pasting is quick and exact for
 * long texts and other scripts. But a pasted tab or escape is not the key, terminals may run what
 * is pasted, and some programs paste by other chords (data/paste.json) or not at all. A text that
 * the program did not fetch was not pasted, and is typed instead. */
#include "hand/desktop/keyboard.h"

#include <string.h>

#include "hand/desktop/clipboard.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/target-window.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* Shorter texts are typed. */
#define PASTE_FROM 100
/* How long a program may take to fetch the text after it has read the paste chord. */
#define FETCH_MS 1000

gboolean hf_keyboard_key(const HfCallContext *context, guint32 keysym, gboolean down,
                         GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (down &&
        (!hf_target_window_check_focus(context, error) || !hf_fence_check_focus(context, error)))
        return FALSE;
    if (ops && ops->key)
        return ops->key(context, keysym, down, error);
    return hf_desktop_fail_unsupported(desktop, "press keys", error);
}

/* Releases the first `count` keys, also when one fails. Reports the first error. */
static gboolean release_keys(const HfCallContext *context, const GArray *keysyms, guint count,
                             GError **error)
{
    gboolean done = TRUE;
    while (count-- > 0)
        done &= hf_keyboard_key(context, g_array_index(keysyms, guint32, count), FALSE,
                                done ? error : NULL);
    return done;
}

/* For the whole chord at once: the program must not see a new keymap while its first keys are down.
 */
static gboolean lend_missing_keys(const HfCallContext *context, const GArray *keysyms,
                                  const HfDeadline *deadline, GError **error)
{
    const HfKeyboardOps *ops = hf_call_context_desktop(context)->backend->keyboard;
    return !ops || !ops->lend ||
           (hf_fence_check_focus(context, error) && ops->lend(context, keysyms, deadline, error));
}

gboolean hf_keyboard_take_back(HfDesktop *desktop, const HfDeadline *deadline, GError **error)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    return !ops || !ops->take_back || ops->take_back(desktop, deadline, error);
}

static gboolean press_unheld_keys(const HfCallContext *context, const GArray *keysyms,
                                  GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    g_autoptr(GArray) pressed = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 keysym = g_array_index(keysyms, guint32, i);
        if (ops && ops->is_held && ops->is_held(desktop, keysym))
            continue;
        if (!hf_keyboard_key(context, keysym, TRUE, error)) {
            release_keys(context, pressed, pressed->len, NULL);
            return FALSE;
        }
        g_array_append_val(pressed, keysym);
    }
    return TRUE;
}

gboolean hf_keyboard_hold_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    if (lend_missing_keys(context, keysyms, deadline, error) &&
        press_unheld_keys(context, keysyms, error))
        return TRUE;
    hf_keyboard_take_back(hf_call_context_desktop(context), deadline, NULL);
    return FALSE;
}

gboolean hf_keyboard_drop_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    gboolean done = release_keys(context, keysyms, keysyms->len, error);
    return hf_keyboard_take_back(hf_call_context_desktop(context), deadline, done ? error : NULL) &&
           done;
}

static gboolean press_chord_once(const HfCallContext *context, const HfChord *chord,
                                 const HfDeadline *deadline, GError **error)
{
    if (!hf_deadline_check(deadline, error))
        return FALSE;
    guint pressed = 0;
    gboolean done = TRUE;
    while (done && pressed < chord->keysyms->len) {
        done =
            hf_keyboard_key(context, g_array_index(chord->keysyms, guint32, pressed), TRUE, error);
        pressed += done ? 1 : 0;
    }
    if (done && chord->hold_us > 0)
        done = hf_deadline_pause(deadline, chord->hold_us, error);
    return release_keys(context, chord->keysyms, pressed, done ? error : NULL) && done;
}

/* Programs wait for accessibility listeners at each key, so those are paused. */
gboolean hf_keyboard_chord(const HfCallContext *context, const HfChord *chord,
                           const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    hf_desktop_pause_event_listeners(desktop, TRUE);
    gboolean done = hf_deadline_check(deadline, error) &&
                    lend_missing_keys(context, chord->keysyms, deadline, error);
    for (guint left = chord->times; done && left > 0; left--)
        done = press_chord_once(context, chord, deadline, error);
    return hf_keyboard_take_back(desktop, deadline, done ? error : NULL) && done;
}

gboolean hf_keyboard_release_all(HfDesktop *desktop, GError **error)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (ops && ops->release_all)
        return ops->release_all(desktop, error);
    return hf_desktop_fail_unsupported(desktop, "release keys", error);
}

gboolean hf_keyboard_let_go(HfDesktop *desktop, GError **error)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    if (ops && ops->let_go)
        return ops->let_go(desktop, error);
    return hf_desktop_fail_unsupported(desktop, "release keys", error);
}

typedef struct PasteRule {
    char **keys; /* empty: no chord pastes */
    HfSelection selection;
    gboolean terminal;
} PasteRule;

static gpointer load_paste_rules(gpointer unused)
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

static PasteRule find_paste_rule(const char *class_name)
{
    static GOnce once = G_ONCE_INIT;
    const json_t *rules = g_once(&once, load_paste_rules, NULL);
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
    gboolean noncharacter =
        (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
    return !g_unichar_iscntrl(character) && !noncharacter;
}

static gboolean check_typable_text(const char *text, GError **error)
{
    glong offset = 0;
    if (!g_utf8_validate(text, -1, NULL))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "text: not valid UTF-8");
    for (const char *rest = text; *rest; rest = g_utf8_next_char(rest), offset++)
        if (!is_typable(g_utf8_get_char(rest))) {
            hf_fail(error, HF_ERROR_INVALID_PARAMS,
                    "text: character %ld, U+%04X, cannot be typed; of the control characters only "
                    "newline, tab, backspace and escape can",
                    offset, g_utf8_get_char(rest));
            hf_error_take_details(error, json_pack("{s:I}", "offset", (json_int_t)offset));
            return FALSE;
        }
    if (offset > (glong)HF_LIMIT_TYPE_CHARS)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "text: has %ld characters, but at most %u can be typed at once", offset,
                       HF_LIMIT_TYPE_CHARS);
    return TRUE;
}

typedef struct PasteChord {
    const HfCallContext *context;
    const GArray *keysyms;
    guint32 window;
    const HfDeadline *deadline;
} PasteChord;

/* Waits until the program has read the chord, so that a missing fetch soon after is conclusive. */
static gboolean press_paste_chord(gpointer data, GError **error)
{
    const PasteChord *chord = data;
    HfDesktop *desktop = hf_call_context_desktop(chord->context);
    HfChord keys = {chord->keysyms, 1, 0};
    return hf_keyboard_chord(chord->context, &keys, chord->deadline, error) &&
           desktop->backend->keyboard->settle(desktop, chord->window, chord->deadline, error);
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

/* An active input method would turn the keys into other text, so paste then. Type where pasting
 * would insert a character instead of pressing a key, or make a terminal run a line. */
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

/* Newlines at the end mean the enter key ("send it"), also after a pasted text. */
static char *dup_without_final_newlines(const HfTyping *typing)
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
            "the program '%s' did not fetch the text from the clipboard, so nothing was pasted",
            target->class_name);
    hf_error_suggest(error, "use method keys");
    return FALSE;
}

/* Fails only where typing instead would be wrong. A problem of the clipboard alone is not a reason.
 */
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

static gboolean paste_or_type(const HfCallContext *context, const HfTyping *typing,
                              const HfTypingTarget *target, HfTyped *typed,
                              const HfDeadline *deadline, GError **error)
{
    g_auto(PasteRule) rule = find_paste_rule(target->class_name);
    g_autofree char *body = dup_without_final_newlines(typing);
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
    return paste_or_type(context, typing, &target, ret_typed, deadline, error);
}
