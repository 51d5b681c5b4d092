/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines to learn from. */
#pragma once

/* What may follow the tool's or command's name, an array ended by NULL; NULL: no example. */
const char *const *hf_cli_examples(const char *name);
