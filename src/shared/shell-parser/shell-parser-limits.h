/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the shell parser. A text that passes one of them counts as dangerous. */
#pragma once

/* The text, including the texts nested in it; how deep they nest; commands; words that braces
 * expand to. */
#define HF_LIMIT_SCRIPT_BYTES    ((gsize)256 * 1024)
#define HF_LIMIT_SCRIPT_DEPTH    32
#define HF_LIMIT_SCRIPT_COMMANDS 2000u
#define HF_LIMIT_SCRIPT_WORDS    256
