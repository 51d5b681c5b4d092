/* SPDX-License-Identifier: Apache-2.0 */
/* Example command lines. */
#pragma once

/* What follows the name of a tool or command, NULL-terminated; NULL: no example. */
const char *const *hf_cli_examples(const char *name);
