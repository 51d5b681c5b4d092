/* SPDX-License-Identifier: Apache-2.0 */
/* Starts an application and waits for its window. */
#pragma once

#include "hand/apps/app-catalog.h"
#include "hand/desktop/windows.h"

typedef enum HfLaunchEnd {
    HF_LAUNCH_WINDOW,    /* it has a new window */
    HF_LAUNCH_ACTIVATED, /* a running instance came to the front */
    HF_LAUNCH_WAITING,   /* it runs, but showed no window in time */
    HF_LAUNCH_ENDED,     /* it exited without showing a window */
} HfLaunchEnd;

typedef struct HfLaunched {
    int pid; /* of the started process, also when it has exited */
    HfLaunchEnd end;
    HfWindow *window; /* NULL: none */
} HfLaunched;

void hf_launched_free(HfLaunched *launched);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLaunched, hf_launched_free)

/* Waits at most `wait_ms` for the window, which is in front then; 0 does not wait. An error after
 * the program was started (a cancelled call) has the pid in its details. */
HfLaunched *hf_launch(const HfCallContext *context, const HfProgram *program, guint wait_ms,
                      const HfDeadline *deadline, GError **error);
