/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard's own connection and what it holds down, shared by single keys (x11-keyboard.c) and
 * typing (x11-typing.c). */
#pragma once

#include "hand/desktop/keyboard.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/input/keyboard-focus.h"
#include "hand/x11/input/keyboard-layout.h"
#include "hand/x11/input/spare-keycodes.h"

struct HfX11Keyboard {
    GMutex lock; /* everything below, for as long as one key or one text takes */
    HfX11Connection *connection;
    HfInputJournal *journal;
    HfBrake *brake;
    struct xkb_context *context;
    guint8 core, device; /* the keyboard that programs see; the one that XTEST presses */
    GArray *held;        /* of HeldKey */
    HfX11Focus lent_to;  /* the window that gets the lent keys; 0: none */
};

extern const HfKeyboardOps hf_x11_keyboard_ops;

/* Connects on first use, and comes back locked. NULL when the server lacks what is needed. */
HfX11Keyboard *hf_x11_keyboard_lock(HfX11Desktop *x11, GError **error);
void hf_x11_keyboard_unlock(HfX11Keyboard *keyboard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Keyboard, hf_x11_keyboard_unlock)
void hf_x11_keyboard_free(HfX11Keyboard *keyboard);

HfX11Layout *hf_x11_keyboard_dup_layout(HfX11Keyboard *keyboard, GError **error);
HfX11SpareKeycodes hf_x11_keyboard_spare_keycodes(const HfX11Keyboard *keyboard,
                                                  const HfX11Layout *layout);
/* PRECONDITION_FAILED while the user's accessibility settings would make the server drop keys, or
 * would be switched off by ours. `repeats`: the same key may come twice in a row. */
gboolean hf_x11_keyboard_check_controls(HfX11Keyboard *keyboard, gboolean repeats, GError **error);
/* Queues an event; a press is written down first. FALSE when the brake forbids a press. */
gboolean hf_x11_keyboard_fake(const HfCallContext *context, HfX11Keyboard *keyboard, guint8 keycode,
                              gboolean down, GError **error);
/* After the server has done all: only what the user of the keyboard holds is still down. */
void hf_x11_keyboard_cross_out(HfX11Keyboard *keyboard);
/* Puts the keymap back, once the program has read what was typed with it. */
gboolean hf_x11_keyboard_restore(HfX11Keyboard *keyboard, GError **error);
/* Presses and releases a key that makes nothing, so that the server shows our keyboard's map and
 * programs look at it. Not Shift: alone it switches some input methods. */
gboolean hf_x11_keyboard_tap(const HfCallContext *context, HfX11Keyboard *keyboard,
                             const HfX11Layout *layout, GError **error);

/* temporary-keys.c */
/* The key for one of the keys of a chord, and what goes down with it. A key that has the symbol in
 * another group will do for a command. */
gboolean hf_x11_temporary_keys_find(HfX11Keyboard *keyboard, const HfX11Layout *layout,
                                    const GArray *keysyms, guint index, HfX11Stroke *ret_stroke);
/* Lends what is missing; gives back the layout that has all of them. */
HfX11Layout *hf_x11_temporary_keys_ensure(const HfCallContext *context, HfX11Keyboard *keyboard,
                                          const GArray *keysyms, const HfDeadline *deadline,
                                          GError **error);
gboolean hf_x11_temporary_keys_lend(const HfCallContext *context, const GArray *keysyms,
                                    const HfDeadline *deadline, GError **error);
gboolean hf_x11_temporary_keys_take_back(HfDesktop *desktop, const HfDeadline *deadline,
                                         GError **error);

/* x11-typing.c */
gboolean hf_x11_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error);
gboolean hf_x11_typing_target(HfDesktop *desktop, const char *text, HfTypingTarget *ret_target,
                              const HfDeadline *deadline, GError **error);
gboolean hf_x11_typing_settle(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                              GError **error);
