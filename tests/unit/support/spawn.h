/* SPDX-License-Identifier: Apache-2.0 */
/* Starting programs from a test so that none outlives it, also when an assertion fails. */
#pragma once

#include <gio/gio.h>

GSubprocess *test_spawn(GSubprocessFlags flags, const char *program, ...) G_GNUC_NULL_TERMINATED;
GSubprocess *test_spawnv(GSubprocessFlags flags, const char *const *arguments);
/* Ends it at once, waits for that, and drops the reference. */
void test_end(GSubprocess *process);
/* The first line that it writes to its pipe. */
char *test_read_line(GSubprocess *process);
