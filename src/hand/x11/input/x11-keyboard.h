/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard: its connection and the keys it holds down, shared by single keys (x11-keyboard.c)
 * and typing (x11-typing.c). */
#pragma once

#include "hand/desktop/keyboard.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/input/keyboard-focus.h"
#include "hand/x11/input/keyboard-layout.h"
#include "hand/x11/input/spare-keycodes.h"

struct HfX11Keyboard {
    GMutex lock; /* guards everything below, for the time of one key or one text */
    HfX11Connection *connection;
    HfInputJournal *journal;
    HfBrake *brake;
    struct xkb_context *context;
    guint8 core, device; /* the keyboard that programs see; the XTEST keyboard */
    GArray *held;        /* of HeldKey */
    HfX11Focus lent_to;  /* the window that receives the lent keys; 0: none */
};

extern const HfKeyboardOps hf_x11_keyboard_ops;

/* Connects on first use and returns it locked. UNSUPPORTED when the server lacks an extension. */
HfX11Keyboard *hf_x11_keyboard_lock(HfX11Desktop *x11, GError **error);
void hf_x11_keyboard_unlock(HfX11Keyboard *keyboard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Keyboard, hf_x11_keyboard_unlock)
void hf_x11_keyboard_free(HfX11Keyboard *keyboard);

HfX11Layout *hf_x11_keyboard_dup_layout(HfX11Keyboard *keyboard, GError **error);
HfX11SpareKeycodes hf_x11_keyboard_spare_keycodes(const HfX11Keyboard *keyboard,
                                                  const HfX11Layout *layout);
/* PRECONDITION_FAILED while accessibility settings are on that would drop our keys or be switched
 * off by them. `repeats`: the same key may come twice in a row. */
gboolean hf_x11_keyboard_check_controls(HfX11Keyboard *keyboard, gboolean repeats, GError **error);
/* Queues a key event; the journal records a press first. FALSE when the brake forbids a press. */
gboolean hf_x11_keyboard_send(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                              gboolean down, GError **error);
/* Removes released keys from the journal. Call it when the server has processed all events. */
void hf_x11_keyboard_journal_released(HfX11Keyboard *keyboard);
/* Restores the keymap. The program must have read what was typed with it. */
gboolean hf_x11_keyboard_restore(HfX11Keyboard *keyboard, GError **error);
/* The modifiers that are down or latched, as a mask; 0 also when the server does not answer. */
guint hf_x11_keyboard_modifiers_down(HfX11Keyboard *keyboard);
/* Presses and releases a key; does nothing for keycode 0. A tap of AltGr types nothing, but makes
 * the server show our keyboard's map and programs read it. Shift alone would switch some input
 * methods. */
gboolean hf_x11_keyboard_tap(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                             GError **error);

/* x11-typing.c */
gboolean hf_x11_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error);
gboolean hf_x11_typing_target(HfDesktop *desktop, const char *text, HfTypingTarget *ret_target,
                              const HfDeadline *deadline, GError **error);
gboolean hf_x11_typing_settle(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                              GError **error);
