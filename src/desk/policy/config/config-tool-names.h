/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the names of tools in the configuration. An unknown name may belong to a future tool; but
 * one that is nearly the name of a tool is a typo, and a typo in what is to be blocked must not go
 * unnoticed. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* CONFIG_INVALID names the field and the tool that was probably meant. */
gboolean hf_config_check_tool_names(const json_t *document, GError **error);
/* The paths of names that no tool has, as an array of strings. Owned. */
json_t *hf_config_dup_unknown_tools(const json_t *document);
