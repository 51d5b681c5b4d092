/* SPDX-License-Identifier: Apache-2.0 */
/* Starting real programs from a test and waiting for their windows. Every wait has a limit. */
#pragma once

#include "hand/desktop/windows.h"
#include "shared/base/deadline.h"

typedef struct Program Program;

/* Arguments ended by NULL. The program is killed when it is freed. */
Program *program_start(const char *name, ...) G_GNUC_NULL_TERMINATED;
void program_free(Program *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Program, program_free)
int program_pid(const Program *program);
/* kill -9, and waits until it is gone. */
void program_kill(Program *program);

/* Call it first in main: programs started later must not start a session bus of their own, which
 * would outlive the test. */
void test_without_bus(void);
/* Opens the desktop of $DISPLAY. */
HfDesktop *test_desktop(void);
HfDeadline test_deadline(void);
/* openbox, up and running. */
Program *start_window_manager(HfDesktop *desktop);
/* Until the X server has noticed that the window manager is gone. */
void await_unmanaged(HfDesktop *desktop);
/* The first visible window whose title contains `title`. Aborts when it does not come. */
HfWindow *await_window(HfDesktop *desktop, const char *title);
