/* SPDX-License-Identifier: Apache-2.0 */
/* A command's output in bounded memory: its beginning, its end and its size. Output above the limit
 * also goes to a file that the shell can read. */
#pragma once

#include "shared/base/json.h"

typedef struct HfCommandOutput HfCommandOutput;

/* Keeps at most `limit` bytes. `folder` is a borrowed directory descriptor in which the file `name`
 * may be created. */
HfCommandOutput *hf_command_output_new(gsize limit, int folder, const char *name);
void hf_command_output_free(HfCommandOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandOutput, hf_command_output_free)

void hf_command_output_add(HfCommandOutput *output, const char *bytes, gsize length);
/* Removes this character from the end, if the output ends with it and nothing was left out. */
void hf_command_output_drop_last(HfCommandOutput *output, char character);

guint64 hf_command_output_total(const HfCommandOutput *output);
gboolean hf_command_output_is_truncated(const HfCommandOutput *output);
/* The file's name; NULL if there is none. */
const char *hf_command_output_get_spill(const HfCommandOutput *output);

/* As text: U+FFFD replaces NUL and invalid UTF-8, and a line marks what was left out. */
char *hf_command_output_dup_text(const HfCommandOutput *output, gsize *ret_length);
json_t *hf_command_output_to_text(const HfCommandOutput *output);
/* The kept bytes as base64: the beginning, then the end. */
json_t *hf_command_output_to_base64(const HfCommandOutput *output);
