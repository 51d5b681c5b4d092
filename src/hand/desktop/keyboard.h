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
    guint delay_ms; /* between characters; 0: as fast as the application reads */
    gboolean
        one_line; /* what has the keyboard takes a line at a time: none is pasted with others */
} HfTyping;

typedef struct HfTyped {
    HfTypingMethod method; /* the one that was used */
    gsize characters;      /* how many were sent, also when it ended early */
    guint32 window;        /* that got them; 0 when there was none */
} HfTyped;

/* The window that gets what is typed. */
typedef struct HfTypingTarget {
    guint32 window;
    char *class_name;      /* as programs name their kind of window; "" when they do not */
    gboolean on_keys;      /* every character of the text has a key on the layout */
    gboolean input_method; /* may turn keys into other text */
} HfTypingTarget;

static inline void hf_typing_target_clear(HfTypingTarget *target)
{
    g_free(target->class_name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTypingTarget, hf_typing_target_clear)

struct HfKeyboardOps {
    /* A key by its X keysym. Written down in the journal while it is down. Presses are counted:
     * the key comes up with the last release. A release without a press does nothing. */
    gboolean (*key)(const HfCallContext *context, guint32 keysym, gboolean down, GError **error);
    gboolean (*is_held)(HfDesktop *desktop, guint32 keysym);
    /* Finds a place for those of these keys that the keyboard lacks, before any of them goes down,
     * and waits until the program knows of it. take_back must follow, whatever came of it. */
    gboolean (*lend)(const HfCallContext *context, const GArray *keysyms,
                     const HfDeadline *deadline, GError **error);
    /* Gives up the places of lent keys that are up again, once the program has dealt with them. */
    gboolean (*take_back)(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
    /* By keys only. */
    gboolean (*type)(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error);
    /* DESKTOP_FOCUS_LOST when no window would get it, PRECONDITION_FAILED when modifiers are held
     * that would turn text into commands. */
    gboolean (*get_target)(HfDesktop *desktop, const char *text, HfTypingTarget *ret_target,
                           const HfDeadline *deadline, GError **error);
    /* Waits until the program of the window has taken in all keys sent so far. */
    gboolean (*settle)(HfDesktop *desktop, guint32 window, const HfDeadline *deadline,
                       GError **error);
    /* Lets go of every key and button that we hold. */
    gboolean (*release_all)(HfDesktop *desktop, GError **error);
    /* The same at once, without waiting for a call that is using them; release_all must follow. */
    gboolean (*let_go)(HfDesktop *desktop, GError **error);
};

gboolean hf_keyboard_key(const HfCallContext *context, guint32 keysym, gboolean down,
                         GError **error);
/* After the release of keys that hf_keyboard_key pressed; the functions below see to it. */
gboolean hf_keyboard_take_back(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
/* Holds keys until they are dropped; a second hold of the same key changes nothing. When one
 * cannot be pressed, those before it are released again. */
gboolean hf_keyboard_hold_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error);
/* Lets go of keys; one that is not held stays as it is. */
gboolean hf_keyboard_drop_all(const HfCallContext *context, const GArray *keysyms,
                              const HfDeadline *deadline, GError **error);
typedef struct HfChord {
    const GArray *keysyms;
    guint times;
    gint64 hold_us;
} HfChord;
/* Presses all in order, keeps them for `hold_us`, releases them in reverse order whatever happens.
 */
gboolean hf_keyboard_chord(const HfCallContext *context, const HfChord *chord,
                           const HfDeadline *deadline, GError **error);
/* Text as a person would type it: a newline is the enter key, a tab the tab key. DESKTOP_FOCUS_LOST
 * when no window has the keyboard focus or it moves to another one: nothing is typed there.
 * `ret_typed` is filled in any case. */
gboolean hf_keyboard_type(const HfCallContext *context, const HfTyping *typing, HfTyped *ret_typed,
                          const HfDeadline *deadline, GError **error);
gboolean hf_keyboard_release_all(HfDesktop *desktop, GError **error);
gboolean hf_keyboard_let_go(HfDesktop *desktop, GError **error);
