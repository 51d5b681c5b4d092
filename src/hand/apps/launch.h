/* SPDX-License-Identifier: Apache-2.0 */
/* Starting an application and waiting for the window by which a person would know that it runs. */
#pragma once

#include "hand/apps/app-catalog.h"
#include "hand/desktop/windows.h"

typedef enum HfLaunchEnd {
    HF_LAUNCH_WINDOW,    /* a new window of its own */
    HF_LAUNCH_ACTIVATED, /* an instance that ran before has come to the front */
    HF_LAUNCH_WAITING,   /* it runs, but no window came up in time */
    HF_LAUNCH_ENDED,     /* it has ended without showing a window */
} HfLaunchEnd;

typedef struct HfLaunched {
    int pid; /* of the process that was started, also when it has ended */
    HfLaunchEnd end;
    HfWindow *window; /* NULL: none */
} HfLaunched;

void hf_launched_free(HfLaunched *launched);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLaunched, hf_launched_free)

/* Waits at most `wait_ms` for the window, which then is in front; 0 does not wait. An error after
 * the program was started (a cancelled call) has its pid in the details. */
HfLaunched *hf_launch(const HfCallContext *context, const HfProgram *program, guint wait_ms,
                      const HfDeadline *deadline, GError **error);
