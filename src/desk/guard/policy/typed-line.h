/* SPDX-License-Identifier: Apache-2.0 */
/* The line at the prompt of a desktop, as far as the desk knows it: what was typed and pasted
 * through us since the last Enter. A simple model: letters append, backspace deletes, and
 * everything else that may change the line (arrows, completion, pasting unknown text) begins a new
 * piece, whose position in the line is unknown. Pure. */
#pragma once

#include <glib.h>

typedef struct HfTypedLine HfTypedLine;

HfTypedLine *hf_typed_line_new(void);
HfTypedLine *hf_typed_line_dup(const HfTypedLine *line);
void hf_typed_line_free(HfTypedLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTypedLine, hf_typed_line_free)

/* Events: text was typed, a chord was pressed `times` times, text was copied. */
void hf_typed_line_type(HfTypedLine *line, const char *text);
void hf_typed_line_press(HfTypedLine *line, const GArray *keysyms, guint times);
void hf_typed_line_copy(HfTypedLine *line, const char *text);
/* Something else may have moved the cursor or the focus. */
void hf_typed_line_mark_uncertain(HfTypedLine *line);

/* What would run if that happened now: every text that the line may be when Enter ends it. Empty:
 * no Enter. char *, owned. */
GPtrArray *hf_typed_line_if_typed(const HfTypedLine *line, const char *text);
GPtrArray *hf_typed_line_if_pressed(const HfTypedLine *line, const GArray *keysyms);
/* The line exceeds what is kept, so nobody knows what would run. */
gboolean hf_typed_line_is_too_long(const HfTypedLine *line);
