/* SPDX-License-Identifier: Apache-2.0 */
/* Copying everything that a selection's owner has, in all formats. */
#pragma once

#include "hand/x11/selection/clipboard-data.h"
#include "hand/x11/selection/selection-read.h"

/* `ret_data` has no formats when there is no owner or the owner gives nothing. Fails rather than
 * leave out something that exists in no other format (PRECONDITION_FAILED). The reader must have
 * been started; ask hf_selection_reader_has_changed afterwards whether the copy is still true. */
gboolean hf_selection_save(HfSelectionReader *reader, const HfDeadline *deadline,
                           HfClipboardData **ret_data, GError **error);
