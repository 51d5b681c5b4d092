/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that the layout lacks, lent for as long as a chord takes. Three moments matter. They get
 * their place before anything of the chord goes down, so that no program reads a new map in the
 * middle of it. The first key waits until the program knows that map. And the map is put back only
 * when the program has dealt with the keys: Qt looks for shortcuts by the map that is in force
 * then, after it has read the key and even answered a ping behind it. */
#include "hand/x11/input/x11-keyboard.h"

#include <stdlib.h>
#include <xcb/xkb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "hand/x11/input/input-barrier.h"
#include "shared/base/error.h"

/* How long a program may take at least to deal with lent keys, also when the call was cut short. */
#define GRACE_MS 1000

#define COMMAND_MODIFIERS (XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 | XCB_MOD_MASK_4)

static gboolean makes_commands(guint32 keysym)
{
    return keysym == XKB_KEY_Control_L || keysym == XKB_KEY_Control_R ||
           (keysym >= XKB_KEY_Meta_L && keysym <= XKB_KEY_Hyper_R);
}

static guint modifiers_down(HfX11Keyboard *keyboard)
{
    xcb_connection_t *xcb = keyboard->connection->xcb;
    xcb_xkb_get_state_reply_t *reply =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, keyboard->core), NULL);
    guint down = reply ? reply->baseMods | reply->latchedMods : 0;
    free(reply);
    return down;
}

/* A modifier that makes commands of letters (ctrl, alt, super) is down, or among these keys. */
static gboolean is_command_chord(HfX11Keyboard *keyboard, const GArray *keysyms)
{
    for (guint i = 0; i < keysyms->len; i++)
        if (makes_commands(g_array_index(keysyms, guint32, i)))
            return TRUE;
    return (modifiers_down(keyboard) & COMMAND_MODIFIERS) != 0;
}

/* Where the active group has another letter, the key would make that, unless it is a command:
 * programs look for those in all groups. Keys without a character are the same everywhere. The
 * server is asked only if it matters. */
gboolean hf_x11_temporary_keys_find(HfX11Keyboard *keyboard, const HfX11Layout *layout,
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
        if (!hf_x11_temporary_keys_find(keyboard, layout, keysyms, i, &stroke))
            g_array_append_val(missing, g_array_index(keysyms, guint32, i));
    }
    return missing;
}

/* With a modifier down, ours is the keyboard that was used last, and a tap might be a command. */
static gboolean await_chord_keymap(const HfCallContext *context, HfX11Keyboard *keyboard,
                                   const HfX11Layout *layout, const HfDeadline *deadline,
                                   GError **error)
{
    if (!modifiers_down(keyboard) && !hf_x11_keyboard_tap(context, keyboard, layout, error))
        return FALSE;
    if (!hf_x11_sync(keyboard->connection, error))
        return FALSE;
    hf_x11_keyboard_cross_out(keyboard);
    if (!keyboard->lent_to.window)
        return TRUE;
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &keyboard->lent_to);
    return hf_x11_barrier_wait_for_map(barrier, deadline, error);
}

HfX11Layout *hf_x11_temporary_keys_ensure(const HfCallContext *context, HfX11Keyboard *keyboard,
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

gboolean hf_x11_temporary_keys_lend(const HfCallContext *context, const GArray *keysyms,
                                    const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfX11Keyboard) keyboard =
        hf_x11_keyboard_lock(hf_x11(hf_call_context_desktop(context)), error);
    if (!keyboard)
        return FALSE;
    g_autoptr(HfX11Layout) layout =
        hf_x11_temporary_keys_ensure(context, keyboard, keysyms, deadline, error);
    return layout != NULL;
}

static gboolean wait_until_keys_read(HfX11Keyboard *keyboard, const HfDeadline *deadline,
                                     GError **error)
{
    if (!keyboard->lent_to.window)
        return TRUE;
    HfDeadline grace = hf_deadline_in_ms(GRACE_MS, NULL);
    gboolean enough =
        deadline && hf_deadline_check(deadline, NULL) && deadline->at_us > grace.at_us;
    g_autoptr(HfX11Barrier) barrier = hf_x11_barrier_new(keyboard->connection, &keyboard->lent_to);
    return hf_x11_barrier_wait_until_done(barrier, enough ? deadline : &grace, error);
}

gboolean hf_x11_temporary_keys_take_back(HfDesktop *desktop, const HfDeadline *deadline,
                                         GError **error)
{
    if (!hf_input_journal_has_changes(desktop->journal))
        return TRUE;
    g_autoptr(HfX11Keyboard) keyboard = hf_x11_keyboard_lock(hf_x11(desktop), error);
    if (!keyboard)
        return FALSE;
    gboolean done = wait_until_keys_read(keyboard, deadline, error);
    return hf_x11_keyboard_restore(keyboard, done ? error : NULL) && done;
}
