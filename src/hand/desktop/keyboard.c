/* SPDX-License-Identifier: Apache-2.0 */
/* The words of keyboard.h: each finds its slot in the back end, or says that there is none. */
#include "hand/desktop/keyboard.h"

#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/target-window.h"
#include "shared/base/error.h"

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

static gboolean is_key_held(HfDesktop *desktop, guint32 keysym)
{
    const HfKeyboardOps *ops = desktop->backend->keyboard;
    return ops && ops->is_held && ops->is_held(desktop, keysym);
}

/* Releases all even when one fails; the first error counts. */
static gboolean release_first(const HfCallContext *context, const GArray *keysyms, guint count,
                              GError **error)
{
    gboolean done = TRUE;
    while (count-- > 0)
        done &= hf_keyboard_key(context, g_array_index(keysyms, guint32, count), FALSE,
                                done ? error : NULL);
    return done;
}

/* For the whole chord at once: a change of the keymap in the middle of it would be read with its
 * first keys down. */
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

static gboolean press_new(const HfCallContext *context, const GArray *keysyms, GError **error)
{
    g_autoptr(GArray) pressed = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 keysym = g_array_index(keysyms, guint32, i);
        if (is_key_held(hf_call_context_desktop(context), keysym))
            continue;
        if (!hf_keyboard_key(context, keysym, TRUE, error)) {
            release_first(context, pressed, pressed->len, NULL);
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
    if (lend_missing_keys(context, keysyms, deadline, error) && press_new(context, keysyms, error))
        return TRUE;
    hf_keyboard_take_back(hf_call_context_desktop(context), deadline, NULL);
    return FALSE;
}

gboolean hf_keyboard_drop_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    gboolean done = release_first(context, keysyms, keysyms->len, error);
    return hf_keyboard_take_back(hf_call_context_desktop(context), deadline, done ? error : NULL) &&
           done;
}

static gboolean press_once(const HfCallContext *context, const HfChord *chord,
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
    return release_first(context, chord->keysyms, pressed, done ? error : NULL) && done;
}

/* Programs ask whoever listens to them about each key. */
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
        done = press_once(context, chord, deadline, error);
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
