/* SPDX-License-Identifier: Apache-2.0 */
/* Single keys, and what they have in common with typing. A key is a key of the layout, pressed as
 * a person would press it: with Shift or AltGr where its symbol needs that; in another group of
 * the layout when it is a command that the active group has no letter for; and on a lent keycode
 * when no key has it at all. Never presses the owner's stop chord or what switches consoles. */
#include "hand/x11/input/x11-keyboard.h"

#include <stdlib.h>
#include <xcb/xkb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "hand/x11/core/crash-recovery.h"
#include "hand/x11/input/inject.h"
#include "hand/x11/input/keyboard-device.h"
#include "hand/x11/input/x11-pointer.h"
#include "shared/base/error.h"

/* How long a program may take to learn of a lent key, where the caller has said nothing. */
#define LEND_MS 2000

typedef struct HeldKey {
    guint32 keysym;
    guint presses;
    guint8 keycodes[HF_X11_MODIFIER_COUNT + 1]; /* that went down for it, in this order */
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

/* Slow and bounce keys drop what is pressed as quickly as we do. Sticky keys end when a modifier
 * and a key are down together, and the server then clears all locks with them. */
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
                            "%s is on in this desktop's accessibility settings, which does not go "
                            "together with keys pressed by a program",
                            name);
}

gboolean hf_x11_keyboard_fake(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                              gboolean down, GError **error)
{
    if (down)
        hf_input_journal_hold_key(keyboard->journal, keycode);
    HfX11Injection event = {.type = down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, .detail = keycode};
    return hf_x11_inject(context, keyboard->connection, event, error);
}

gboolean hf_x11_keyboard_tap(const HfCallContext *context, HfX11Keyboard *keyboard,
                             const HfX11Layout *layout, GError **error)
{
    guint8 keycode = layout->modifier_keys[1];
    return !keycode || (hf_x11_keyboard_fake(context, keyboard, keycode, TRUE, error) &&
                        hf_x11_keyboard_fake(context, keyboard, keycode, FALSE, error));
}

void hf_x11_keyboard_cross_out(HfX11Keyboard *keyboard)
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

/* By what is down, whoever holds it, and by what the key would really make under the modifiers
 * that are down: a layout may put the end of the X server anywhere. */
static gboolean check_keys_allowed(HfX11Keyboard *keyboard, const HfX11Layout *layout,
                                   guint32 keysym, HfX11Stroke stroke, GError **error)
{
    xcb_connection_t *xcb = keyboard->connection->xcb;
    xcb_xkb_get_state_reply_t *reply =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, keyboard->core), NULL);
    if (!reply)
        return hf_x11_check(keyboard->connection, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the X server tells no keyboard state");
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

/* Keycodes that are down already stay with the key that pressed them. */
static gboolean press_keycode(const HfCallContext *context, HfX11Keyboard *keyboard, HeldKey *key,
                              guint8 keycode, GError **error)
{
    if (hf_input_journal_holds_key(keyboard->journal, keycode))
        return TRUE;
    key->keycodes[key->count++] = keycode;
    return hf_x11_keyboard_fake(context, keyboard, keycode, TRUE, error);
}

static gboolean release_keycodes(const HfCallContext *context, HfX11Keyboard *keyboard,
                                 const HeldKey *key, GError **error)
{
    for (guint i = key->count; i-- > 0;)
        hf_x11_keyboard_fake(context, keyboard, key->keycodes[i], FALSE, NULL);
    if (!hf_x11_sync(keyboard->connection, error))
        return FALSE;
    for (guint i = 0; i < key->count; i++)
        hf_input_journal_drop_key(keyboard->journal, key->keycodes[i]);
    return TRUE;
}

/* Lends the key if nobody did so for the chord it belongs to. */
static gboolean find_or_lend(const HfCallContext *context, HfX11Keyboard *keyboard, guint32 keysym,
                             HfX11Layout **ret_layout, HfX11Stroke *ret_stroke, GError **error)
{
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(one, keysym);
    HfDeadline deadline = hf_deadline_in_ms(LEND_MS, NULL);
    g_autoptr(HfX11Layout) layout =
        hf_x11_temporary_keys_ensure(context, keyboard, one, &deadline, error);
    if (!layout)
        return FALSE;
    if (!hf_x11_temporary_keys_find(keyboard, layout, one, 0, ret_stroke))
        return hf_fail(error, HF_ERROR_UNSUPPORTED, "this keyboard has no such key");
    *ret_layout = g_steal_pointer(&layout);
    return TRUE;
}

static gboolean press_keysym(const HfCallContext *context, HfX11Keyboard *keyboard, guint32 keysym,
                             GError **error)
{
    HfX11Stroke stroke = {0, 0};
    HeldKey key = {.keysym = keysym, .presses = 1};
    g_autoptr(HfX11Layout) layout = NULL;
    if (!hf_x11_keyboard_check_controls(keyboard, FALSE, error) ||
        !find_or_lend(context, keyboard, keysym, &layout, &stroke, error) ||
        !check_keys_allowed(keyboard, layout, keysym, stroke, error))
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

static gboolean release_held_key(const HfCallContext *context, HfX11Keyboard *keyboard,
                                 HeldKey *held, GError **error)
{
    HeldKey key = *held;
    g_array_remove_index(keyboard->held, (guint)(held - (HeldKey *)(gpointer)keyboard->held->data));
    return release_keycodes(context, keyboard, &key, error);
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
    return held->presses > 0 || release_held_key(context, keyboard, held, error);
}

static gboolean is_keysym_held(HfDesktop *desktop, guint32 keysym)
{
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), NULL);
    return keyboard && find_held_key(keyboard, keysym);
}

/* Waits until nobody is in the middle of a batch, so that nothing of it comes after. */
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

static gboolean let_go_at_once(HfDesktop *desktop, GError **error)
{
    return hf_x11_inject_releases(hf_x11(desktop), error);
}

const HfKeyboardOps hf_x11_keyboard_ops = {
    .key = key_event,
    .is_held = is_keysym_held,
    .lend = hf_x11_temporary_keys_lend,
    .take_back = hf_x11_temporary_keys_take_back,
    .type = hf_x11_type,
    .get_target = hf_x11_typing_target,
    .settle = hf_x11_typing_settle,
    .release_all = release_all,
    .let_go = let_go_at_once,
};
