/* SPDX-License-Identifier: Apache-2.0 */
/* Types text by keys, in portions. Each portion is sent while we grab the server, so the focus
 * cannot move between its check and the last key. Characters without a key go on spare keycodes,
 * many at a time. The map changes again only after a barrier, because a program looks a key up when
 * it reads it, which may be much later. The keymap is restored at the end, whatever happened. */
#include "hand/x11/input/x11-keyboard.h"

#include <stdlib.h>
#include <xcb/xkb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "hand/x11/input/input-barrier.h"
#include "hand/x11/input/keyboard-focus.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* Characters per portion. At most two portions are unread. */
#define PORTION 128
/* How far to look ahead for characters that need a spare keycode; more never fit. */
#define LOOK_AHEAD 2048
/* How long to wait for a person who holds modifier keys, and for a window manager that is moving
 * the focus. */
#define MODIFIER_PATIENCE_MS 500
#define FOCUS_PATIENCE_MS    500
#define LOOK_INTERVAL_US     10000
/* The time that a program gets to read its keys after the call was cut short. */
#define GRACE_MS 800

typedef struct Session {
    const HfCallContext *context;
    HfX11Keyboard *keyboard;
    const HfDeadline *deadline;
    const gunichar *text;
    gsize length, sent;
    guint delay_ms;
    HfX11Focus focus;
    HfX11Barrier *barrier;
    guint32 last_mark, former_mark; /* 0: none */
    gboolean map_changed;           /* and no modifier has told the program the locks since */
} Session;

/* The key for a character. Control characters stand for the keys of that name. */
static gboolean find_stroke(const HfX11Layout *layout, gunichar character, HfX11Stroke *ret_stroke)
{
    switch (character) {
    case '\n':
    case '\r':
        return hf_x11_layout_find_keysym(layout, XKB_KEY_Return, ret_stroke);
    case '\t':
        return hf_x11_layout_find_keysym(layout, XKB_KEY_Tab, ret_stroke);
    case '\b':
        return hf_x11_layout_find_keysym(layout, XKB_KEY_BackSpace, ret_stroke);
    case 0x1b:
        return hf_x11_layout_find_keysym(layout, XKB_KEY_Escape, ret_stroke);
    default:
        return hf_x11_layout_find_character(layout, character, ret_stroke);
    }
}

/* The distinct characters, from the next one on, that the layout itself cannot type. */
static GArray *collect_missing_characters(const Session *session, const HfX11Layout *layout)
{
    GArray *missing = g_array_new(FALSE, FALSE, sizeof(gunichar));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    gsize end = MIN(session->length, session->sent + LOOK_AHEAD);
    for (gsize i = session->sent; i < end; i++) {
        HfX11Stroke stroke;
        HfKeySymbols original; /* of a lent key */
        if (find_stroke(layout, session->text[i], &stroke) &&
            !hf_input_journal_get_original(session->keyboard->journal, stroke.keycode, &original))
            continue;
        if (g_hash_table_add(seen, GUINT_TO_POINTER(session->text[i])))
            g_array_append_val(missing, session->text[i]);
    }
    return missing;
}

static gboolean wait_for_program(Session *session, guint32 mark, GError **error)
{
    return !mark || hf_x11_barrier_wait(session->barrier, mark, session->deadline, error);
}

static gboolean check_focus(Session *session, GError **error)
{
    HfX11Focus focus;
    if (hf_x11_focus_is(session->keyboard->connection, &session->focus))
        return TRUE;
    if (!hf_x11_focus_get(session->keyboard->connection, &focus, error))
        return FALSE;
    if (focus.toplevel == session->focus.toplevel)
        return TRUE;
    return hf_fail(
        error, HF_ERROR_DESKTOP_FOCUS_LOST,
        "another window took the keyboard focus while typing; focus the right window and "
        "type the rest");
}

/* The server shows programs the map of the keyboard that was used last, and some programs notice a
 * change only at the next key. So a key that types nothing goes first, and the text waits until the
 * program has read the map. */
static gboolean await_text_keymap(Session *session, const HfX11Layout *layout, GError **error)
{
    xcb_connection_t *xcb = session->keyboard->connection->xcb;
    xcb_grab_server(xcb);
    gboolean going =
        check_focus(session, error) &&
        hf_x11_keyboard_tap(session->context, session->keyboard, layout->modifier_keys[1], error);
    xcb_ungrab_server(xcb);
    return going && hf_x11_barrier_wait_for_map(session->barrier, session->deadline, error);
}

/* Assigns the next characters to spare keycodes and returns the layout that has them. */
static HfX11Layout *lend_keys(Session *session, const HfX11Layout *layout, GError **error)
{
    if (!wait_for_program(session, session->last_mark, error))
        return NULL;
    session->last_mark = session->former_mark = 0;
    session->map_changed = TRUE;
    g_autoptr(GArray) missing = collect_missing_characters(session, layout);
    HfX11SpareKeycodes spares = hf_x11_keyboard_spare_keycodes(session->keyboard, layout);
    guint count = 0;
    if (!hf_x11_spare_keycodes_assign(&spares, missing, &count, error) ||
        !await_text_keymap(session, layout, error))
        return NULL;
    g_autoptr(HfX11Layout) fresh = hf_x11_keyboard_dup_layout(session->keyboard, error);
    HfX11Stroke stroke;
    if (!fresh)
        return NULL;
    if (!count || !find_stroke(fresh, session->text[session->sent], &stroke)) {
        hf_fail(
            error, HF_ERROR_UNSUPPORTED,
            "the keyboard has no key for U+%04X and no free keycode to add it; use method paste",
            session->text[session->sent]);
        return NULL;
    }
    return g_steal_pointer(&fresh);
}

/* The first key may bring up another device's map, after which the program forgets the locks (see
 * toggle_lock_modifier in spare-keycodes.c). A modifier as first key tells them again. AltGr is
 * better than Shift, which alone switches some input methods. */
static gboolean tap_modifier_for_locks(Session *session, const HfX11Layout *layout, GError **error)
{
    guint8 keycode = layout->modifier_keys[1] ? layout->modifier_keys[1] : layout->modifier_keys[0];
    gboolean needed = session->map_changed && layout->locked;
    session->map_changed = FALSE;
    return hf_x11_keyboard_tap(session->context, session->keyboard, needed ? keycode : 0, error);
}

/* FALSE when the brake is on; `down` is correct in any case. */
static gboolean send_stroke(const HfCallContext *context, HfX11Keyboard *keyboard,
                            const HfX11Layout *layout, HfX11Stroke stroke, guint8 *down,
                            GError **error)
{
    for (guint i = 0; i < HF_X11_MODIFIER_COUNT; i++) {
        guint8 bit = (guint8)(1u << i);
        if (!((stroke.modifiers ^ *down) & bit))
            continue;
        if (!hf_x11_keyboard_send(context, keyboard, layout->modifier_keys[i],
                                  stroke.modifiers & bit, error))
            return FALSE;
        *down ^= bit;
    }
    return hf_x11_keyboard_tap(context, keyboard, stroke.keycode, error);
}

/* Counts the characters that were sent, even if the brake ends it. All keys are up afterwards. */
static gboolean send_strokes(Session *session, const HfX11Layout *layout, gsize *ret_count,
                             GError **error)
{
    gboolean going = tap_modifier_for_locks(session, layout, error);
    guint8 down = 0;
    gsize count = 0, limit = session->delay_ms ? 1 : PORTION;
    for (; going && count < limit && session->sent + count < session->length; count++) {
        const gunichar *character = &session->text[session->sent + count];
        gboolean last = session->sent + count + 1 == session->length;
        HfX11Stroke stroke;
        if (*character == '\r' && !last && character[1] == '\n')
            continue;
        if (!find_stroke(layout, *character, &stroke))
            break;
        going = send_stroke(session->context, session->keyboard, layout, stroke, &down, error);
        if (!going)
            break;
    }
    send_stroke(session->context, session->keyboard, layout, (HfX11Stroke){0, 0}, &down, NULL);
    *ret_count = count;
    return going;
}

static gboolean send_portion(Session *session, const HfX11Layout *layout, GError **error)
{
    xcb_connection_t *xcb = session->keyboard->connection->xcb;
    xcb_grab_server(xcb);
    gsize count = 0;
    gboolean going = check_focus(session, error) && send_strokes(session, layout, &count, error);
    xcb_ungrab_server(xcb);
    session->former_mark = session->last_mark;
    session->last_mark = hf_x11_barrier_mark(session->barrier);
    session->sent += count;
    if (!hf_x11_sync(session->keyboard->connection, going ? error : NULL))
        return FALSE;
    hf_x11_keyboard_journal_released(session->keyboard);
    return going;
}

/* Modifiers that are down would turn text into commands. A person may be about to release them. */
static gboolean wait_for_modifiers(HfX11Keyboard *keyboard, const HfDeadline *deadline,
                                   GError **error)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, MODIFIER_PATIENCE_MS);
    for (;;) {
        if (!hf_x11_keyboard_modifiers_down(keyboard))
            return hf_x11_check(keyboard->connection, error);
        if (!hf_deadline_pause(&patience, LOOK_INTERVAL_US, NULL))
            return hf_deadline_check(deadline, error) &&
                   hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                           "a modifier key (ctrl, shift, alt, super) is held down; release it with "
                           "key_up before typing");
    }
}

static gboolean type_all(Session *session, GError **error)
{
    while (session->sent < session->length) {
        if (!hf_deadline_check(session->deadline, error) ||
            !wait_for_modifiers(session->keyboard, session->deadline, error))
            return FALSE;
        g_autoptr(HfX11Layout) layout = hf_x11_keyboard_dup_layout(session->keyboard, error);
        HfX11Stroke stroke;
        if (layout && !find_stroke(layout, session->text[session->sent], &stroke)) {
            HfX11Layout *fresh = lend_keys(session, layout, error);
            hf_x11_layout_free(layout);
            layout = fresh;
        }
        if (!layout || !send_portion(session, layout, error) ||
            !wait_for_program(session, session->former_mark, error))
            return FALSE;
        if (session->delay_ms && session->sent < session->length &&
            !hf_deadline_pause(session->deadline, session->delay_ms * 1000, error))
            return FALSE;
    }
    return wait_for_program(session, session->last_mark, error);
}

static gboolean wait_for_focus(HfX11Keyboard *keyboard, HfX11Focus *ret_focus,
                               const HfDeadline *deadline, GError **error)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, FOCUS_PATIENCE_MS);
    for (;;) {
        g_autoptr(GError) failure = NULL;
        if (hf_x11_focus_get(keyboard->connection, ret_focus, &failure))
            return TRUE;
        if (!g_error_matches(failure, HF_ERROR, HF_ERROR_DESKTOP_FOCUS_LOST) ||
            !hf_deadline_pause(&patience, LOOK_INTERVAL_US, NULL)) {
            g_propagate_error(error, g_steal_pointer(&failure));
            return FALSE;
        }
    }
}

/* Gives the program time to read what was sent, then restores the keymap in any case. */
static gboolean finish_typing(Session *session, gboolean done, GError **error)
{
    if (!done && session->last_mark) {
        HfDeadline grace = hf_deadline_in_ms(GRACE_MS, NULL);
        hf_x11_barrier_wait(session->barrier, session->last_mark, &grace, NULL);
    }
    return hf_x11_keyboard_restore(session->keyboard, done ? error : NULL) && done;
}

gboolean hf_x11_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error)
{
    *ret_typed = (HfTyped){.method = HF_TYPING_KEYS};
    g_autoptr(HfX11Keyboard) keyboard =
        hf_x11_keyboard_lock(hf_x11(hf_call_context_desktop(context)), error);
    Session session = {.context = context,
                       .keyboard = keyboard,
                       .deadline = deadline,
                       .delay_ms = typing->delay_ms,
                       /* the first key brings up the XTEST keyboard's map */
                       .map_changed = TRUE};
    if (!keyboard || !wait_for_focus(keyboard, &session.focus, deadline, error) ||
        !hf_x11_keyboard_check_controls(keyboard, TRUE, error))
        return FALSE;
    glong length;
    g_autofree gunichar *text = g_utf8_to_ucs4_fast(typing->text, -1, &length);
    session.text = text;
    session.length = (gsize)length;
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &session.focus);
    session.barrier = barrier;
    gboolean done = finish_typing(&session, type_all(&session, error), error);
    ret_typed->characters = session.sent;
    ret_typed->window = session.focus.toplevel;
    return done;
}

gboolean hf_x11_typing_target(HfDesktop *desktop, const char *text, HfTypingTarget *ret_target,
                              const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), error);
    HfX11Focus focus;
    if (!keyboard || !wait_for_focus(keyboard, &focus, deadline, error) ||
        !wait_for_modifiers(keyboard, deadline, error))
        return FALSE;
    g_autoptr(HfX11Layout) layout = hf_x11_keyboard_dup_layout(keyboard, error);
    if (!layout)
        return FALSE;
    HfX11Stroke stroke;
    const char *rest = text;
    while (*rest && find_stroke(layout, g_utf8_get_char(rest), &stroke))
        rest = g_utf8_next_char(rest);
    g_autoptr(GArray) input_methods = hf_x11_input_methods_dup_windows(keyboard->connection);
    *ret_target = (HfTypingTarget){
        .window = focus.toplevel,
        .class_name = hf_x11_focus_dup_class(keyboard->connection, focus.toplevel),
        .on_keys = *rest == '\0',
        .input_method = input_methods->len > 0,
    };
    return TRUE;
}

gboolean hf_x11_typing_settle(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                              GError **error)
{
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), error);
    if (!keyboard)
        return FALSE;
    HfX11Focus focus = {window, window};
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &focus);
    return hf_x11_barrier_wait(barrier, hf_x11_barrier_mark(barrier), deadline, error);
}
