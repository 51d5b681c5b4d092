/* SPDX-License-Identifier: Apache-2.0 */
/* SIGUSR2 stops everything: the last resort when the socket does not answer. */
#pragma once

#include "desk/desktops/desk.h"

/* Call it first in the process: from now on the signal does not kill it. */
void hf_stop_signal_prepare(void);
/* A dedicated thread waits for the signal, whatever the main thread is doing. */
void hf_stop_signal_begin(HfDesk *desk);
void hf_stop_signal_end(void);
