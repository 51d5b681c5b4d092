/* SPDX-License-Identifier: Apache-2.0 */
/* What a stage's process is like before it does anything. */
#pragma once

#include <glib.h>
#include <signal.h>

/* Closes descriptors that were not meant for us, and blocks the signals that the stage reads. FALSE
 * when the desk has not started us. */
gboolean hf_stage_process_prepare(sigset_t *ret_handled);
