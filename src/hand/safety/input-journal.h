/* SPDX-License-Identifier: Apache-2.0 */
/* A journal of what must be restored on this desktop: keys and buttons that we hold, and keycodes
 * of the keymap that we changed. It is a small memory-mapped file, so it is complete after kill -9.
 * An entry is written before the request goes out and removed after the change is undone: there may
 * be one entry too many, never one too few. The journal belongs to one X server; a back end that
 * finds another server must clear it. */
#pragma once

#include <glib.h>

#include "shared/base/types.h"

#define HF_INPUT_JOURNAL_CODES        256 /* keycodes and button numbers are bytes */
#define HF_INPUT_JOURNAL_KEYSYMS      8
#define HF_INPUT_JOURNAL_SERVER_BYTES 40

/* The symbols of one key, as XKB describes them. */
typedef struct HfKeySymbols {
    guint8 types[4]; /* the key type of each group */
    guint8 groups;   /* XKB group info: count in the low bits, out-of-range rule in the high ones */
    guint8 width;    /* levels of the widest group */
    guint16 count;   /* keysyms in use */
    guint32 keysyms[HF_INPUT_JOURNAL_KEYSYMS];
} HfKeySymbols;

/* `directory` NULL: in memory only. A damaged file is moved aside and a new one created. CONFLICT
 * while another process uses the same directory. */
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

/* Records a keycode's original symbols and ours. A second change of the same key keeps the first
 * original. The server must have carried out the first change already. */
void hf_input_journal_change_key(HfInputJournal *journal, guint8 keycode,
                                 const HfKeySymbols *original, const HfKeySymbols *ours);
void hf_input_journal_restored_key(HfInputJournal *journal, guint8 keycode);
gboolean hf_input_journal_has_changes(const HfInputJournal *journal);
/* FALSE if the keycode was not changed. */
gboolean hf_input_journal_get_original(const HfInputJournal *journal, guint8 keycode,
                                       HfKeySymbols *ret_original);
/* Whether we changed the keycode and these are the symbols that we gave it. */
gboolean hf_input_journal_is_ours(const HfInputJournal *journal, guint8 keycode,
                                  const HfKeySymbols *symbols);
