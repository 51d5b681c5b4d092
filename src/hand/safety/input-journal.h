/* SPDX-License-Identifier: Apache-2.0 */
/* What must be put back on this desktop, written down before it is done: keys and buttons that we
 * hold, and keycodes of the keymap that we changed. The record lives in a small file that is
 * mapped into memory, so it is complete after kill -9. Every entry is made before the request
 * goes out and crossed out after it was undone: an entry may be one too many, never one too few.
 * The record belongs to one X server; a back end that finds another one there must clear it. */
#pragma once

#include <glib.h>

#include "shared/base/types.h"

#define HF_INPUT_JOURNAL_CODES        256 /* keycodes and button numbers are bytes */
#define HF_INPUT_JOURNAL_KEYSYMS      8
#define HF_INPUT_JOURNAL_SERVER_BYTES 40

/* The symbols of one key, as XKB describes them. */
typedef struct HfKeySymbols {
    guint8 types[4]; /* the key type of each group */
    guint8 groups;   /* group information: count in the low bits, what to do beyond them above */
    guint8 width;    /* levels of the widest group */
    guint16 count;   /* keysyms in use */
    guint32 keysyms[HF_INPUT_JOURNAL_KEYSYMS];
} HfKeySymbols;

/* `directory` NULL: kept in memory only. A damaged file is set aside and a new one begun.
 * CONFLICT while another process works with the same directory. */
HfInputJournal *hf_input_journal_open(const char *directory, GError **error);
void hf_input_journal_close(HfInputJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfInputJournal, hf_input_journal_close)

/* The server that the entries belong to; "" in a new journal. Setting it clears all entries. */
const char *hf_input_journal_get_server(const HfInputJournal *journal);
void hf_input_journal_set_server(HfInputJournal *journal, const char *server);

void hf_input_journal_hold_key(HfInputJournal *journal, guint8 keycode);
void hf_input_journal_drop_key(HfInputJournal *journal, guint8 keycode);
gboolean hf_input_journal_holds_key(const HfInputJournal *journal, guint8 keycode);

void hf_input_journal_hold_button(HfInputJournal *journal, guint8 button);
void hf_input_journal_drop_button(HfInputJournal *journal, guint8 button);
gboolean hf_input_journal_holds_button(const HfInputJournal *journal, guint8 button);

/* A keycode of the map: what was there, and what we put there. A second change of the same key
 * keeps the first original. The request for the former change must have been done before. */
void hf_input_journal_change_key(HfInputJournal *journal, guint8 keycode,
                                 const HfKeySymbols *original, const HfKeySymbols *ours);
void hf_input_journal_restored_key(HfInputJournal *journal, guint8 keycode);
gboolean hf_input_journal_has_changes(const HfInputJournal *journal);
/* FALSE when the keycode was not changed. */
gboolean hf_input_journal_get_original(const HfInputJournal *journal, guint8 keycode,
                                       HfKeySymbols *ret_original);
/* Whether a changed keycode that has these symbols now has them from us. */
gboolean hf_input_journal_is_ours(const HfInputJournal *journal, guint8 keycode,
                                  const HfKeySymbols *symbols);
