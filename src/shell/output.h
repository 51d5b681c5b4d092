/* What a command has written, in bounded memory: its beginning and its end, how much it was, and
 * from a size on all of it in a file that the shell itself can read. */
#pragma once

#include "base/json.h"

typedef struct HfOutput HfOutput;

/* Keeps at most `limit` bytes. `folder`: a directory in which a file may be made, borrowed; `name`
 * of that file. */
HfOutput *hf_output_new(gsize limit, int folder, const char *name);
void hf_output_free(HfOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOutput, hf_output_free)

void hf_output_add(HfOutput *output, const char *bytes, gsize length);
/* Takes this letter off its end, if it ends with it and all of it is here. */
void hf_output_drop_last(HfOutput *output, char letter);

guint64 hf_output_total(const HfOutput *output);
gboolean hf_output_is_truncated(const HfOutput *output);
/* The file's name; NULL: there is none, all is here. */
const char *hf_output_get_spill(const HfOutput *output);
guint64 hf_output_spilled(const HfOutput *output);

/* As text: what is no UTF-8, and NUL, by U+FFFD; where something is left out, a line says so. */
char *hf_output_dup_text(const HfOutput *output, gsize *ret_length);
json_t *hf_output_to_text(const HfOutput *output);
/* The bytes that were kept, as base64: the beginning and then the end. */
json_t *hf_output_to_base64(const HfOutput *output);
