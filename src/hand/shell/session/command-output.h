/* SPDX-License-Identifier: Apache-2.0 */
/* What a command has written, in bounded memory: its beginning and its end, how much it was, and
 * from a size on all of it in a file that the shell itself can read. */
#pragma once

#include "shared/base/json.h"

typedef struct HfCommandOutput HfCommandOutput;

/* Keeps at most `limit` bytes. `folder`: a directory in which a file may be made, borrowed; `name`
 * of that file. */
HfCommandOutput *hf_command_output_new(gsize limit, int folder, const char *name);
void hf_command_output_free(HfCommandOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandOutput, hf_command_output_free)

void hf_command_output_add(HfCommandOutput *output, const char *bytes, gsize length);
/* Takes this letter off its end, if it ends with it and all of it is here. */
void hf_command_output_drop_last(HfCommandOutput *output, char letter);

guint64 hf_command_output_total(const HfCommandOutput *output);
gboolean hf_command_output_is_truncated(const HfCommandOutput *output);
/* The file's name; NULL: there is none, all is here. */
const char *hf_command_output_get_spill(const HfCommandOutput *output);
guint64 hf_command_output_spilled(const HfCommandOutput *output);

/* As text: what is no UTF-8, and NUL, by U+FFFD; where something is left out, a line says so. */
char *hf_command_output_dup_text(const HfCommandOutput *output, gsize *ret_length);
json_t *hf_command_output_to_text(const HfCommandOutput *output);
/* The bytes that were kept, as base64: the beginning and then the end. */
json_t *hf_command_output_to_base64(const HfCommandOutput *output);
