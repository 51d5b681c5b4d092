/* SPDX-License-Identifier: Apache-2.0 */
/* The line that is being typed on a desktop, as far as the desk can know it: what was typed and
 * pasted through us since the last enter key. A modest model of a prompt: letters are added at its
 * end, backspace takes one away, and everything else that may have changed it (arrows, completion,
 * a paste of unknown text) begins a new piece, whose place in the line is not known. Pure. */
#pragma once

#include <glib.h>

typedef struct HfTypedLine HfTypedLine;

HfTypedLine *hf_typed_line_new(void);
HfTypedLine *hf_typed_line_dup(const HfTypedLine *line);
void hf_typed_line_free(HfTypedLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTypedLine, hf_typed_line_free)

/* What happened: text was typed, keys went down together so many times, text was copied. */
void hf_typed_line_type(HfTypedLine *line, const char *text);
void hf_typed_line_press(HfTypedLine *line, const GArray *keysyms, guint times);
void hf_typed_line_copy(HfTypedLine *line, const char *text);
/* Something else happened that may have moved the cursor or gone to another window. */
void hf_typed_line_mark_uncertain(HfTypedLine *line);

/* What would be run if that happened now: each text that the line may be when an enter key ends it.
 * Empty when none does. char *, owned. */
GPtrArray *hf_typed_line_if_typed(const HfTypedLine *line, const char *text);
GPtrArray *hf_typed_line_if_pressed(const HfTypedLine *line, const GArray *keysyms);
/* More was typed, or more often elsewhere, than is kept, so that nobody can tell what would be run.
 */
gboolean hf_typed_line_is_too_long(const HfTypedLine *line);
