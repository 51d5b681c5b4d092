/* SPDX-License-Identifier: Apache-2.0 */
/* From words on a command line to a tool's parameters, by its description. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

typedef struct HfToolArguments {
    json_t *params;
    char *output; /* -o: where a picture goes; NULL: a name of its own; "-": standard output */
    gboolean json, help;
} HfToolArguments;

/* `--name value`, `--name=value`, `--flag`, `--no-flag`, values in the order of the required
 * parameters without a name, `-o FILE`, `--json`, `--help`. Texts may also be `-` or `@FILE` (see
 * text-input.h). INVALID_PARAMS or LIMIT_EXCEEDED says what is wrong. */
gboolean hf_tool_arguments_parse(HfToolArguments *args, const HfTool *tool, int argc, char **argv,
                                 GError **error);
/* The parameter that the value number `index` without a name is for; NULL: there may be none. */
const HfParam *hf_tool_arguments_find_positional(const HfTool *tool, int index);
void hf_tool_arguments_clear(HfToolArguments *args);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfToolArguments, hf_tool_arguments_clear)
