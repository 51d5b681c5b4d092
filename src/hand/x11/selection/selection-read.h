/* SPDX-License-Identifier: Apache-2.0 */
/* Asking the owner of a selection for what it has. A reader is one enquiry with a connection of its
 * own: an owner that answers late or never can disturb nobody else, and whatever it still sends
 * ends with the connection. */
#pragma once

#include "hand/x11/core/connection.h"
#include "shared/base/deadline.h"

typedef struct HfSelectionReader HfSelectionReader;

typedef struct HfSelectionValue {
    xcb_atom_t type;
    int unit;      /* 8, 16 or 32 bits */
    GBytes *bytes; /* NULL: the owner has no such format */
} HfSelectionValue;

void hf_selection_value_clear(HfSelectionValue *value);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSelectionValue, hf_selection_value_clear)

/* `names` is borrowed and serves for atoms. With `state_dir`, an owner that answers after we were
 * killed comes to no harm. DESKTOP_UNAVAILABLE. */
HfSelectionReader *hf_selection_reader_new(HfX11Connection *names, const char *selection,
                                           const char *state_dir, GError **error);
void hf_selection_reader_free(HfSelectionReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSelectionReader, hf_selection_reader_free)

/* Learns the server's time and the owner, and forgets earlier changes. To be called first, and
 * again before another attempt. */
gboolean hf_selection_reader_start(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error);
HfX11Connection *hf_selection_reader_get_names(const HfSelectionReader *reader);
xcb_timestamp_t hf_selection_reader_get_time(const HfSelectionReader *reader);
xcb_window_t hf_selection_reader_get_owner(const HfSelectionReader *reader);
/* The selection got another owner or other content since the start. Asks the server, so that a
 * change made before this call is seen. */
gboolean hf_selection_reader_has_changed(HfSelectionReader *reader);
/* Waits until the owner has gone away; FALSE when it has not by then. */
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
/* All formats on offer (xcb_atom_t); empty when the owner does not say. */
GArray *hf_selection_fetch_targets(HfSelectionReader *reader, const HfDeadline *deadline,
                                   GError **error);
/* Their names, one for each; NULL for numbers that are no atoms. */
GPtrArray *hf_selection_dup_names(HfSelectionReader *reader, const GArray *atoms);
