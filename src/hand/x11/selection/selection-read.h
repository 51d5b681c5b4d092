/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a selection from its owner. A reader has its own connection, so an owner that answers late
 * or never disturbs nobody else, and late answers end with the connection. */
#pragma once

#include "hand/x11/core/connection.h"
#include "hand/x11/selection/clipboard-data.h"
#include "shared/base/deadline.h"

typedef struct HfSelectionReader HfSelectionReader;

typedef struct HfSelectionValue {
    xcb_atom_t type;
    int unit;      /* 8, 16 or 32 bits */
    GBytes *bytes; /* NULL: the owner has no such format */
} HfSelectionValue;

void hf_selection_value_clear(HfSelectionValue *value);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSelectionValue, hf_selection_value_clear)

/* `shared` is borrowed, for atoms. With `state_dir`, an owner that answers after we were killed
 * comes to no harm (retained-window.h). DESKTOP_UNAVAILABLE. */
HfSelectionReader *hf_selection_reader_new(HfX11Connection *shared, const char *selection,
                                           const char *state_dir, GError **error);
void hf_selection_reader_free(HfSelectionReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSelectionReader, hf_selection_reader_free)

/* Reads the server's time and the owner, and forgets earlier changes. Call it first, and again
 * before another attempt. */
gboolean hf_selection_reader_start(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error);
HfX11Connection *hf_selection_reader_get_shared(const HfSelectionReader *reader);
xcb_timestamp_t hf_selection_reader_get_time(const HfSelectionReader *reader);
xcb_window_t hf_selection_reader_get_owner(const HfSelectionReader *reader);
/* Whether the selection has another owner or content since the start. Queries the server, so it
 * sees every change from before the call. */
gboolean hf_selection_reader_has_changed(HfSelectionReader *reader);
/* Waits until the owner is gone; FALSE at the deadline. */
gboolean hf_selection_reader_wait_ownerless(HfSelectionReader *reader, const HfDeadline *deadline);

/* One format. DESKTOP_TIMEOUT when the owner does not answer, LIMIT_EXCEEDED beyond
 * HF_LIMIT_CLIPBOARD_BYTES. */
gboolean hf_selection_fetch(HfSelectionReader *reader, xcb_atom_t target,
                            const HfDeadline *deadline, HfSelectionValue *ret_value,
                            GError **error);
/* The same for a conversion with an argument: a list of atoms in the property. */
gboolean hf_selection_fetch_with(HfSelectionReader *reader, xcb_atom_t target,
                                 const xcb_atom_t *argument, guint count,
                                 const HfDeadline *deadline, HfSelectionValue *ret_value,
                                 GError **error);
/* All formats on offer (xcb_atom_t); empty when the owner does not list them. */
GArray *hf_selection_fetch_targets(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error);
/* The name of each atom; NULL for numbers that are not atoms. */
GPtrArray *hf_selection_dup_names(HfSelectionReader *reader, const GArray *atoms);
/* Copies the content in all formats. `ret_data` has none when there is no owner or the owner sends
 * nothing. PRECONDITION_FAILED when something cannot be saved that exists in no other format.
 * Afterwards, hf_selection_reader_has_changed says whether the copy is still current. */
gboolean hf_selection_save(HfSelectionReader *reader, const HfDeadline *deadline,
                           HfClipboardData **ret_data, GError **error);
