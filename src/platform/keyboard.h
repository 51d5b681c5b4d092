/* The keyboard: keys by name, chords, and text of any script. */
#pragma once

#include "base/deadline.h"
#include "platform/desktop.h"

typedef enum HfTypingMethod {
    HF_TYPING_AUTO,
    HF_TYPING_KEYS,
    HF_TYPING_PASTE,
} HfTypingMethod;

typedef struct HfTyping {
    const char *text; /* valid UTF-8 */
    HfTypingMethod method;
    guint delay_ms; /* between characters; 0: as fast as the application reads */
} HfTyping;

typedef struct HfTyped {
    HfTypingMethod method; /* the one that was used */
    gsize characters;      /* how many were sent, also when it ended early */
} HfTyped;

struct HfKeyboardOps {
    /* A key by its X keysym. Written down in the journal while it is down. */
    gboolean (*key)(HfDesktop *desktop, guint32 keysym, gboolean down, GError **error);
    gboolean (*type)(HfDesktop *desktop, const HfTyping *typing, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error);
    /* Lets go of every key and button that we hold. */
    gboolean (*release_all)(HfDesktop *desktop, GError **error);
};

/* The keysym of a key's name: "ctrl", "cmd", "enter", "f5", "a", "ä", "Page_Up", xdotool's names;
 * any case for names longer than one character. INVALID_PARAMS for an unknown one. */
gboolean hf_key_parse(const char *name, guint32 *ret_keysym, GError **error);
/* "ctrl+shift+t" or {"ctrl", "shift", "t"} or a mix, flattened to keysyms in order. */
GArray *hf_keys_parse(const char *const *names, GError **error);

gboolean hf_keyboard_key(HfDesktop *desktop, guint32 keysym, gboolean down, GError **error);
/* Presses all in order, keeps them for `hold_us`, releases them in reverse order whatever happens.
 */
gboolean hf_keyboard_chord(HfDesktop *desktop, const GArray *keysyms, gint64 hold_us,
                           const HfDeadline *deadline, GError **error);
gboolean hf_keyboard_type(HfDesktop *desktop, const HfTyping *typing, HfTyped *ret_typed,
                          const HfDeadline *deadline, GError **error);
gboolean hf_keyboard_release_all(HfDesktop *desktop, GError **error);
