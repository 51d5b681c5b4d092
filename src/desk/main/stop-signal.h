/* SPDX-License-Identifier: Apache-2.0 */
/* SIGUSR2 to the desk stops everything: the way that is left when the socket does not answer. */
#pragma once

#include "desk/desktops/desk.h"

/* As the first thing in the process: from now on the signal does not end it. */
void hf_stop_signal_prepare(void);
/* A thread of its own waits for it, whatever the main thread is doing. */
void hf_stop_signal_begin(HfDesk *desk);
void hf_stop_signal_end(void);
