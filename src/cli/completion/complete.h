/* SPDX-License-Identifier: Apache-2.0 */
/* What may follow on a command line, for the shells: from the registry and the table of commands,
 * and, where the desk or the disk can say it quickly, names of things that are there. */
#pragma once

/* `words` are those after "handfast", the last one being typed. Prints a candidate a line, with
 * what it means after a tab, or ":files" where a file may be named. */
void hf_complete(int count, char **words);
