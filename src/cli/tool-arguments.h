/* SPDX-License-Identifier: Apache-2.0 */
/* Turns words of a command line into a tool's parameters, by its descriptor. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

typedef struct HfToolArguments {
    json_t *params;
    char *output; /* -o: where a picture goes; NULL: a generated name; "-": standard output */
    gboolean json, help;
} HfToolArguments;

/* `--name value`, `--name=value`, `--flag`, `--no-flag`, positional values in the order of the
 * required parameters, `-o FILE`, `--json`, `--help`. Texts may also be `-` or `@FILE` (see
 * text-input.h). INVALID_PARAMS or LIMIT_EXCEEDED says what is wrong. */
gboolean hf_tool_arguments_parse(HfToolArguments *args, const HfTool *tool, int argc, char **argv,
                                 GError **error);
/* The parameter for the positional value number `index`; NULL: none. */
const HfParam *hf_tool_arguments_find_positional(const HfTool *tool, int index);
void hf_tool_arguments_clear(HfToolArguments *args);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfToolArguments, hf_tool_arguments_clear)
