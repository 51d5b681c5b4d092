/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard: keys, chords, and text of any script. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"
#include "shared/text/key-names.h"

typedef enum HfTypingMethod {
    HF_TYPING_AUTO,
    HF_TYPING_KEYS,
    HF_TYPING_PASTE,
} HfTypingMethod;

typedef struct HfTyping {
    const char *text; /* valid UTF-8 */
    HfTypingMethod method;
    guint delay_ms;    /* between characters; 0: as fast as the application reads */
    gboolean one_line; /* the target reads one line at a time: never paste several */
} HfTyping;

typedef struct HfTyped {
    HfTypingMethod method; /* that was used */
    gsize characters;      /* sent, also when it ended early */
    guint32 window;        /* that got them; 0: none */
} HfTyped;

/* The window that gets what is typed. */
typedef struct HfTypingTarget {
    guint32 window;
    char *class_name;      /* WM_CLASS; "" when it has none */
    gboolean on_keys;      /* the layout has a key for every character of the text */
    gboolean input_method; /* one is active, which may turn keys into other text */
} HfTypingTarget;

static inline void hf_typing_target_clear(HfTypingTarget *target)
{
    g_free(target->class_name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTypingTarget, hf_typing_target_clear)

struct HfKeyboardOps {
    /* Presses or releases a key by its X keysym. The journal records it while it is down. Presses
     * are counted: the last release lifts the key. A release without a press does nothing. */
    gboolean (*key)(const HfCallContext *context, guint32 keysym, gboolean down, GError **error);
    gboolean (*is_held)(HfDesktop *desktop, guint32 keysym);
    /* Adds those of these keys that the keymap lacks, before any of them goes down, and waits until
     * the program knows the new keymap. take_back must follow, also after a failure. */
    gboolean (*lend)(const HfCallContext *context, const GArray *keysyms,
                     const HfDeadline *deadline, GError **error);
    /* Removes added keys that are up again, once the program has handled them. */
    gboolean (*take_back)(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
    /* Types by keys, never by pasting. */
    gboolean (*type)(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error);
    /* DESKTOP_FOCUS_LOST when no window would get the text, PRECONDITION_FAILED when a held
     * modifier would turn it into commands. */
    gboolean (*get_target)(HfDesktop *desktop, const char *text, HfTypingTarget *ret_target,
                           const HfDeadline *deadline, GError **error);
    /* Waits until the program of the window has read all keys sent so far. */
    gboolean (*settle)(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                       GError **error);
    /* Releases every key and button that we hold. */
    gboolean (*release_all)(HfDesktop *desktop, GError **error);
    /* The same at once, without waiting for a call that uses them. release_all must follow. */
    gboolean (*let_go)(HfDesktop *desktop, GError **error);
};

gboolean hf_keyboard_key(const HfCallContext *context, guint32 keysym, gboolean down,
                         GError **error);
/* Call it after releasing keys that hf_keyboard_key pressed. The functions below do so. */
gboolean hf_keyboard_take_back(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
/* Holds keys until they are dropped. Holding a held key changes nothing. When one cannot be
 * pressed, the keys before it are released again. */
gboolean hf_keyboard_hold_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error);
/* Releases keys; one that is not held stays as it is. */
gboolean hf_keyboard_drop_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error);
typedef struct HfChord {
    const GArray *keysyms;
    guint times;
    gint64 hold_us;
} HfChord;
/* Presses all keys in order, holds them for `hold_us`, and always releases them in reverse order.
 */
gboolean hf_keyboard_chord(const HfCallContext *context, const HfChord *chord,
                           const HfDeadline *deadline, GError **error);
/* Types text as a person would: a newline is the enter key, a tab the tab key. DESKTOP_FOCUS_LOST
 * when no window has the keyboard focus, or when it moves to another window; nothing is typed
 * there. `ret_typed` is always filled in. */
gboolean hf_keyboard_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                          const HfDeadline *deadline, GError **error);
gboolean hf_keyboard_release_all(HfDesktop *desktop, GError **error);
gboolean hf_keyboard_let_go(HfDesktop *desktop, GError **error);
