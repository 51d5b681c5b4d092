/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the shell parser. A text that passes one of them counts as dangerous. */
#pragma once

/* The text, including the texts nested in it; how deep they nest; commands; words that braces
 * expand to. */
#define HF_LIMIT_SCRIPT_BYTES    ((gsize)256 * 1024)
#define HF_LIMIT_SCRIPT_DEPTH    32
#define HF_LIMIT_SCRIPT_COMMANDS 2000u
#define HF_LIMIT_SCRIPT_WORDS    256
/* Places where a text may be after cd, where it has been, the length of one, and
 * arguments times places, over all commands. */
#define HF_LIMIT_SCRIPT_DIRECTORIES     64
#define HF_LIMIT_SCRIPT_VISITED         256
#define HF_LIMIT_SCRIPT_DIRECTORY_BYTES ((gsize)1024)
#define HF_LIMIT_SCRIPT_PLACES          10000u
/* Files that a text runs or sources, as far as an approval is bound to them. */
#define HF_LIMIT_RUN_FILES 64u
