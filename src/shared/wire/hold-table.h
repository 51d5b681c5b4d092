/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that the hand holds until the desk lets each of them go: a place for each in memory that
 * both share. While the desk does what must be done before a call is, the call is on its way
 * already; and a call that was let go before the hand asks costs nobody anything. */
#pragma once

#include "shared/base/deadline.h"

typedef struct HfHoldTable HfHoldTable;

/* The desk's side. */
HfHoldTable *hf_hold_table_new(GError **error);
/* The hand's side: the first message on a connection to the desk. */
gboolean hf_hold_table_send(HfHoldTable *releases, int socket, GError **error);
HfHoldTable *hf_hold_table_receive(int socket, GError **error);
void hf_hold_table_free(HfHoldTable *releases);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHoldTable, hf_hold_table_free)

/* The desk: takes a place for the call `id`, which is held from now on; -1: all are taken. */
int hf_hold_table_hold(HfHoldTable *releases, gint64 id);
void hf_hold_table_release(HfHoldTable *releases, int place, gint64 id);
/* Gives the place back. Not before the hand has answered: it may be looking there. */
void hf_hold_table_free_slot(HfHoldTable *releases, int place);

/* The hand: waits until the call is let go. FALSE: the work must end instead, and nothing may be
 * done. */
gboolean hf_hold_table_wait(HfHoldTable *releases, int place, gint64 id, const HfDeadline *deadline,
                            GError **error);
