/* SPDX-License-Identifier: Apache-2.0 */
/* Single keys and chords, and what they share with typing. A key is pressed as a person would press
 * it: with Shift or AltGr where its symbol needs that, in another group of the layout when it is a
 * command that the active group has no letter for, and on a lent keycode when no key has it. Never
 * presses the owner's stop chord or a key that switches consoles.
 *
 * Lending has three rules. Keys are lent before any key of the chord goes down, so no program reads
 * a new map in the middle of it. The first key waits until the program knows that map. The map is
 * restored only when the program has handled the keys: Qt looks for shortcuts in the current map,
 * after it has read the key and even answered a ping behind it. */
#include "hand/x11/input/x11-keyboard.h"

#include <stdlib.h>
#include <xcb/xkb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "hand/x11/core/crash-recovery.h"
#include "hand/x11/input/inject.h"
#include "hand/x11/input/input-barrier.h"
#include "hand/x11/input/keyboard-device.h"
#include "shared/base/error.h"

/* How long a program may take to read the map with a lent key, without a limit of the caller. */
#define LEND_MS 2000
/* The least time that a program gets to handle lent keys, even if the call was cut short. */
#define LENT_GRACE_MS 1000

#define COMMAND_MODIFIERS (XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 | XCB_MOD_MASK_4)

typedef struct HeldKey {
    guint32 keysym;
    guint presses;
    guint8 keycodes[HF_X11_MODIFIER_COUNT + 1]; /* pressed for it, in this order */
    guint count;
} HeldKey;

static HfX11Keyboard *keyboard_new(HfX11Desktop *x11, GError **error)
{
    g_autoptr(HfX11Connection) connection = hf_x11_connect(x11->connection->display, error);
    guint8 core, device;
    if (!connection || !hf_x11_device_find(connection, &core, &device, error))
        return NULL;
    HfX11Keyboard *keyboard = g_new0(HfX11Keyboard, 1);
    g_mutex_init(&keyboard->lock);
    keyboard->connection = g_steal_pointer(&connection);
    keyboard->journal = x11->base.journal;
    keyboard->brake = x11->base.brake;
    keyboard->core = core;
    keyboard->device = device;
    keyboard->context =
        xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES | XKB_CONTEXT_NO_ENVIRONMENT_NAMES);
    xkb_context_set_log_level(keyboard->context, XKB_LOG_LEVEL_CRITICAL);
    keyboard->held = g_array_new(FALSE, FALSE, sizeof(HeldKey));
    return keyboard;
}

HfX11Keyboard *hf_x11_keyboard_lock(HfX11Desktop *x11, GError **error)
{
    static GMutex creation;
    g_mutex_lock(&creation);
    if (!x11->keyboard)
        x11->keyboard = keyboard_new(x11, error);
    HfX11Keyboard *keyboard = x11->keyboard;
    g_mutex_unlock(&creation);
    if (keyboard)
        g_mutex_lock(&keyboard->lock);
    return keyboard;
}

void hf_x11_keyboard_unlock(HfX11Keyboard *keyboard)
{
    if (!keyboard)
        return;
    hf_x11_discard_events(keyboard->connection);
    g_mutex_unlock(&keyboard->lock);
}

void hf_x11_keyboard_free(HfX11Keyboard *keyboard)
{
    if (!keyboard)
        return;
    hf_x11_disconnect(keyboard->connection);
    xkb_context_unref(keyboard->context);
    g_array_unref(keyboard->held);
    g_mutex_clear(&keyboard->lock);
    g_free(keyboard);
}

HfX11Layout *hf_x11_keyboard_dup_layout(HfX11Keyboard *keyboard, GError **error)
{
    return hf_x11_layout_new(keyboard->connection, keyboard->context, keyboard->device,
                             keyboard->core, error);
}

HfX11SpareKeycodes hf_x11_keyboard_spare_keycodes(const HfX11Keyboard *keyboard,
                                                  const HfX11Layout *layout)
{
    xkb_mod_mask_t locks =
        layout ? xkb_state_serialize_mods(layout->state, XKB_STATE_MODS_LOCKED) : 0;
    return (HfX11SpareKeycodes){keyboard->connection, keyboard->journal, keyboard->device,
                                layout ? layout->level3_mask : 0, (locks & XCB_MOD_MASK_LOCK) != 0};
}

/* Slow Keys and Bounce Keys drop keys that are as quick as ours. Sticky Keys end when a modifier
 * and a key are down together, and the server then clears all locks too. */
gboolean hf_x11_keyboard_check_controls(HfX11Keyboard *keyboard, gboolean repeats, GError **error)
{
    xcb_connection_t *xcb = keyboard->connection->xcb;
    xcb_xkb_get_controls_reply_t *reply =
        xcb_xkb_get_controls_reply(xcb, xcb_xkb_get_controls(xcb, keyboard->core), NULL);
    if (!reply)
        return hf_x11_check(keyboard->connection, error);
    guint32 controls = reply->enabledControls;
    free(reply);
    const char *name = controls & XCB_XKB_BOOL_CTRL_SLOW_KEYS                ? "Slow Keys"
                       : controls & XCB_XKB_BOOL_CTRL_STICKY_KEYS            ? "Sticky Keys"
                       : repeats && controls & XCB_XKB_BOOL_CTRL_BOUNCE_KEYS ? "Bounce Keys"
                                                                             : NULL;
    return !name || hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                            "%s is on in this desktop's accessibility settings and does not work "
                            "with keys pressed by a program; ask the user to switch it off",
                            name);
}

gboolean hf_x11_keyboard_send(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                              gboolean down, GError **error)
{
    if (down)
        hf_input_journal_hold_key(keyboard->journal, keycode);
    HfX11Injection event = {.type = down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, .detail = keycode};
    return hf_x11_inject(context, keyboard->connection, event, error);
}

gboolean hf_x11_keyboard_tap(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                             GError **error)
{
    return !keycode || (hf_x11_keyboard_send(context, keyboard, keycode, TRUE, error) &&
                        hf_x11_keyboard_send(context, keyboard, keycode, FALSE, error));
}

void hf_x11_keyboard_journal_released(HfX11Keyboard *keyboard)
{
    gboolean held[HF_INPUT_JOURNAL_CODES] = {FALSE};
    for (guint i = 0; i < keyboard->held->len; i++) {
        const HeldKey *key = &g_array_index(keyboard->held, HeldKey, i);
        for (guint j = 0; j < key->count; j++)
            held[key->keycodes[j]] = TRUE;
    }
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (!held[code])
            hf_input_journal_drop_key(keyboard->journal, (guint8)code);
}

gboolean hf_x11_keyboard_restore(HfX11Keyboard *keyboard, GError **error)
{
    HfX11SpareKeycodes spares = hf_x11_keyboard_spare_keycodes(keyboard, NULL);
    return hf_x11_spare_keycodes_restore(&spares, error);
}

static gboolean makes_commands(guint32 keysym)
{
    return keysym == XKB_KEY_Control_L || keysym == XKB_KEY_Control_R ||
           (keysym >= XKB_KEY_Meta_L && keysym <= XKB_KEY_Hyper_R);
}

guint hf_x11_keyboard_modifiers_down(HfX11Keyboard *keyboard)
{
    xcb_connection_t *xcb = keyboard->connection->xcb;
    xcb_xkb_get_state_reply_t *reply =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, keyboard->core), NULL);
    guint down = reply ? reply->baseMods | reply->latchedMods : 0;
    free(reply);
    return down;
}

/* Whether a modifier that turns letters into commands is down or among these keys. */
static gboolean is_command_chord(HfX11Keyboard *keyboard, const GArray *keysyms)
{
    for (guint i = 0; i < keysyms->len; i++)
        if (makes_commands(g_array_index(keysyms, guint32, i)))
            return TRUE;
    return (hf_x11_keyboard_modifiers_down(keyboard) & COMMAND_MODIFIERS) != 0;
}

/* The key for one keysym of a chord, and its modifiers. A key of another group would type the
 * active group's letter, so it serves only for commands, which programs look for in all groups, and
 * for keys without a character. Queries the server only if that matters. */
static gboolean find_chord_key(HfX11Keyboard *keyboard, const HfX11Layout *layout,
                               const GArray *keysyms, guint index, HfX11Stroke *ret_stroke)
{
    guint32 keysym = g_array_index(keysyms, guint32, index);
    return hf_x11_layout_find_keysym(layout, keysym, ret_stroke) ||
           (hf_x11_layout_find_any_group(layout, keysym, ret_stroke) &&
            (xkb_keysym_to_utf32(keysym) < ' ' || is_command_chord(keyboard, keysyms)));
}

static GArray *collect_missing_keysyms(HfX11Keyboard *keyboard, const HfX11Layout *layout,
                                       const GArray *keysyms)
{
    GArray *missing = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < keysyms->len; i++) {
        HfX11Stroke stroke;
        if (!find_chord_key(keyboard, layout, keysyms, i, &stroke))
            g_array_append_val(missing, g_array_index(keysyms, guint32, i));
    }
    return missing;
}

/* With a modifier down, our keyboard was the last one used anyway, and a tap might be a command. */
static gboolean await_chord_keymap(const HfCallContext *context, HfX11Keyboard *keyboard,
                                   const HfX11Layout *layout, const HfDeadline *deadline,
                                   GError **error)
{
    if (!hf_x11_keyboard_modifiers_down(keyboard) &&
        !hf_x11_keyboard_tap(context, keyboard, layout->modifier_keys[1], error))
        return FALSE;
    if (!hf_x11_sync(keyboard->connection, error))
        return FALSE;
    hf_x11_keyboard_journal_released(keyboard);
    if (!keyboard->lent_to.window)
        return TRUE;
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &keyboard->lent_to);
    return hf_x11_barrier_wait_for_map(barrier, deadline, error);
}

/* Lends the missing keys and returns the layout that has all of them. */
static HfX11Layout *ensure_chord_keys(const HfCallContext *context, HfX11Keyboard *keyboard,
                                      const GArray *keysyms, const HfDeadline *deadline,
                                      GError **error)
{
    g_autoptr(HfX11Layout) layout = hf_x11_keyboard_dup_layout(keyboard, error);
    if (!layout)
        return NULL;
    g_autoptr(GArray) missing = collect_missing_keysyms(keyboard, layout, keysyms);
    if (missing->len == 0)
        return g_steal_pointer(&layout);
    if (!hf_x11_keyboard_check_controls(keyboard, FALSE, error))
        return NULL;
    keyboard->lent_to = (HfX11Focus){0};
    hf_x11_focus_get(keyboard->connection, &keyboard->lent_to, NULL);
    HfX11SpareKeycodes spares = hf_x11_keyboard_spare_keycodes(keyboard, layout);
    if (!hf_x11_spare_keycodes_assign_keys(&spares, missing, error) ||
        !await_chord_keymap(context, keyboard, layout, deadline, error))
        return NULL;
    return hf_x11_keyboard_dup_layout(keyboard, error);
}

static HeldKey *find_held_key(HfX11Keyboard *keyboard, guint32 keysym)
{
    for (guint i = 0; i < keyboard->held->len; i++) {
        HeldKey *held = &g_array_index(keyboard->held, HeldKey, i);
        if (held->keysym == keysym)
            return held;
    }
    return NULL;
}

static void add_modifier_keysyms(GArray *keysyms, guint modifiers)
{
    const struct {
        guint mask;
        guint32 keysym;
    } table[] = {{XCB_MOD_MASK_SHIFT, XKB_KEY_Shift_L},
                 {XCB_MOD_MASK_CONTROL, XKB_KEY_Control_L},
                 {XCB_MOD_MASK_1, XKB_KEY_Alt_L}};
    for (guint i = 0; i < G_N_ELEMENTS(table); i++)
        if (modifiers & table[i].mask)
            g_array_append_val(keysyms, table[i].keysym);
}

/* Checks everything that is down, whoever holds it, and what the key would really make with the
 * modifiers that are down: a layout may have "terminate the X server" on any key. */
static gboolean check_keys_allowed(HfX11Keyboard *keyboard, const HfX11Layout *layout,
                                   guint32 keysym, HfX11Stroke stroke, GError **error)
{
    xcb_connection_t *xcb = keyboard->connection->xcb;
    xcb_xkb_get_state_reply_t *reply =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, keyboard->core), NULL);
    if (!reply)
        return hf_x11_check(keyboard->connection, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the X server does not report the keyboard state");
    struct xkb_state *state = xkb_state_new(layout->keymap);
    xkb_state_update_mask(state, reply->mods, 0, 0, 0, 0, reply->group);
    guint32 made = xkb_state_key_get_one_sym(state, stroke.keycode);
    xkb_state_unref(state);
    g_autoptr(GArray) down = g_array_new(FALSE, FALSE, sizeof(guint32));
    add_modifier_keysyms(down,
                         reply->mods | (stroke.modifiers & HF_X11_SHIFT ? XCB_MOD_MASK_SHIFT : 0));
    free(reply);
    for (guint i = 0; i < keyboard->held->len; i++)
        g_array_append_val(down, g_array_index(keyboard->held, HeldKey, i).keysym);
    g_array_append_val(down, keysym);
    g_array_append_val(down, made);
    return hf_brake_check_keys(keyboard->brake, down, error);
}

/* A keycode that is down already belongs to the key that pressed it. */
static gboolean press_keycode(const HfCallContext *context, HfX11Keyboard *keyboard, HeldKey *key,
                              guint8 keycode, GError **error)
{
    if (hf_input_journal_holds_key(keyboard->journal, keycode))
        return TRUE;
    key->keycodes[key->count++] = keycode;
    return hf_x11_keyboard_send(context, keyboard, keycode, TRUE, error);
}

static gboolean release_keycodes(const HfCallContext *context, HfX11Keyboard *keyboard,
                                 const HeldKey *key, GError **error)
{
    for (guint i = key->count; i-- > 0;)
        hf_x11_keyboard_send(context, keyboard, key->keycodes[i], FALSE, NULL);
    if (!hf_x11_sync(keyboard->connection, error))
        return FALSE;
    for (guint i = 0; i < key->count; i++)
        hf_input_journal_drop_key(keyboard->journal, key->keycodes[i]);
    return TRUE;
}

/* Lends the key unless that was done for its whole chord. */
static gboolean press_keysym(const HfCallContext *context, HfX11Keyboard *keyboard, guint32 keysym,
                             GError **error)
{
    HfX11Stroke stroke = {0, 0};
    HeldKey key = {.keysym = keysym, .presses = 1};
    HfDeadline deadline = hf_deadline_in_ms(LEND_MS, NULL);
    g_autoptr(GArray) keysyms = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(keysyms, keysym);
    if (!hf_x11_keyboard_check_controls(keyboard, FALSE, error))
        return FALSE;
    g_autoptr(HfX11Layout) layout = ensure_chord_keys(context, keyboard, keysyms, &deadline, error);
    if (!layout)
        return FALSE;
    if (!find_chord_key(keyboard, layout, keysyms, 0, &stroke))
        return hf_fail(error, HF_ERROR_UNSUPPORTED, "the keyboard has no key for keysym 0x%x",
                       keysym);
    if (!check_keys_allowed(keyboard, layout, keysym, stroke, error))
        return FALSE;
    gboolean pressed = TRUE;
    for (guint i = 0; pressed && i < HF_X11_MODIFIER_COUNT; i++)
        if (stroke.modifiers & 1u << i)
            pressed = press_keycode(context, keyboard, &key, layout->modifier_keys[i], error);
    pressed = pressed && press_keycode(context, keyboard, &key, stroke.keycode, error);
    if (!pressed) {
        release_keycodes(context, keyboard, &key, NULL);
        return FALSE;
    }
    g_array_append_val(keyboard->held, key);
    return hf_x11_sync(keyboard->connection, error);
}

static gboolean key_event(const HfCallContext *context, guint32 keysym, gboolean down,
                          GError **error)
{
    g_autoptr(HfX11Keyboard) keyboard =
        hf_x11_keyboard_lock(hf_x11(hf_call_context_desktop(context)), error);
    if (!keyboard)
        return FALSE;
    HeldKey *held = find_held_key(keyboard, keysym);
    if (!held)
        return !down || press_keysym(context, keyboard, keysym, error);
    held->presses += down ? 1 : -1u;
    if (held->presses > 0)
        return TRUE;
    HeldKey released = *held;
    g_array_remove_index(keyboard->held, (guint)(held - (HeldKey *)(gpointer)keyboard->held->data));
    return release_keycodes(context, keyboard, &released, error);
}

static gboolean lend_chord_keys(const HfCallContext *context, const GArray *keysyms,
                                const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfX11Keyboard) keyboard =
        hf_x11_keyboard_lock(hf_x11(hf_call_context_desktop(context)), error);
    if (!keyboard)
        return FALSE;
    g_autoptr(HfX11Layout) layout = ensure_chord_keys(context, keyboard, keysyms, deadline, error);
    return layout != NULL;
}

static gboolean wait_until_keys_read(HfX11Keyboard *keyboard, const HfDeadline *deadline,
                                     GError **error)
{
    if (!keyboard->lent_to.window)
        return TRUE;
    HfDeadline grace = hf_deadline_in_ms(LENT_GRACE_MS, NULL);
    gboolean enough =
        deadline && hf_deadline_check(deadline, NULL) && deadline->at_us > grace.at_us;
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &keyboard->lent_to);
    return hf_x11_barrier_wait_until_done(barrier, enough ? deadline : &grace, error);
}

static gboolean take_back_keys(HfDesktop *desktop, const HfDeadline *deadline, GError **error)
{
    if (!hf_input_journal_has_changes(desktop->journal))
        return TRUE;
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), error);
    if (!keyboard)
        return FALSE;
    gboolean done = wait_until_keys_read(keyboard, deadline, error);
    return hf_x11_keyboard_restore(keyboard, done ? error : NULL) && done;
}

static gboolean is_keysym_held(HfDesktop *desktop, guint32 keysym)
{
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), NULL);
    return keyboard && find_held_key(keyboard, keysym);
}

/* Waits until no batch is in progress, so that no event of one follows. */
static gboolean release_all(HfDesktop *desktop, GError **error)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(x11, error);
    if (!keyboard)
        return FALSE;
    g_array_set_size(keyboard->held, 0);
    hf_x11_pointer_lock(x11->pointer);
    gboolean done = hf_x11_recover_from_crash(x11, error);
    hf_x11_pointer_unlock(x11->pointer);
    return done;
}

const HfKeyboardOps hf_x11_keyboard_ops = {
    .key = key_event,
    .is_held = is_keysym_held,
    .lend = lend_chord_keys,
    .take_back = take_back_keys,
    .type = hf_x11_type,
    .get_target = hf_x11_typing_target,
    .settle = hf_x11_typing_settle,
    .release_all = release_all,
    .let_go = hf_x11_inject_releases,
};
