/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates for the shells' completion: from the registry, the table of commands and, where the
 * desk or the disk can answer quickly, the names of existing things. */
#pragma once

/* `words` are those after "handfast"; the last one is being typed. Prints one candidate per line,
 * with its meaning after a tab, or ":files" where a file may be named. */
void hf_complete(int count, char **words);
