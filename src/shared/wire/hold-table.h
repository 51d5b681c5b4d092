/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that the hand holds until the desk releases them: a slot for each in shared memory. So a
 * call can be sent while the desk still does what must come first; and a call that is released
 * before the hand asks costs nothing. */
#pragma once

#include "shared/base/deadline.h"

typedef struct HfHoldTable HfHoldTable;

/* The desk's side. */
HfHoldTable *hf_hold_table_new(GError **error);
/* Desk: sends the table as the first message on a new hand's socket. Hand: receives it. */
gboolean hf_hold_table_send(HfHoldTable *releases, int socket, GError **error);
HfHoldTable *hf_hold_table_receive(int socket, GError **error);
void hf_hold_table_free(HfHoldTable *releases);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHoldTable, hf_hold_table_free)

/* Desk: takes a slot for the call `id`, which is held from now on; -1: all are taken. */
int hf_hold_table_hold(HfHoldTable *releases, gint64 id);
void hf_hold_table_release(HfHoldTable *releases, int place, gint64 id);
/* Desk: frees the slot. Not before the hand has answered, because it may still read it. */
void hf_hold_table_free_slot(HfHoldTable *releases, int place);

/* Hand: waits until the call is released. FALSE: the work must end, and nothing may be done. */
gboolean hf_hold_table_wait(HfHoldTable *releases, int place, gint64 id, const HfDeadline *deadline,
                            GError **error);
