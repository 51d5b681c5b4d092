/* SPDX-License-Identifier: Apache-2.0 */
/* The hand's side of a keeper (keeper.h). */
#pragma once

#include <sys/types.h>

#include "shared/base/deadline.h"
#include "shared/base/json.h"

typedef struct HfKeeper {
    int channel;
    int process;                  /* pidfd; the session ends with this process */
    int commands, output, errors; /* -1 with a terminal */
    int terminal;                 /* -1 without a terminal */
    int folder;                   /* a private directory of the session */
    char *folder_path;            /* as the shell sees it */
    gboolean open;                /* without walls */
    int status;                   /* how the shell ended; -1: not yet reported */
} HfKeeper;

/* The plan is that of sandbox.h plus the shell's {"arguments", "environment", "directory", "umask",
 * "terminal", "rows", "columns", "hushed"}. */
HfKeeper *hf_keeper_start(const json_t *plan, const HfDeadline *deadline, GError **error);
/* Ends the session and everything it started. Does not wait, and may be called again. */
void hf_keeper_end(HfKeeper *keeper);
/* Waits until everything has ended. */
gboolean hf_keeper_await_end(HfKeeper *keeper, int milliseconds);
/* Ends the session first. */
void hf_keeper_free(HfKeeper *keeper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfKeeper, hf_keeper_free)

/* Signals what the command that began at this time has started, and interrupts the shell. */
void hf_keeper_interrupt(HfKeeper *keeper, int signal_number, guint64 since_ticks);
/* Signals the terminal's foreground group; without a terminal, what was started since. */
gboolean hf_keeper_signal(HfKeeper *keeper, int signal_number, guint64 since_ticks, GError **error);
/* The current time, in the unit of process start times. */
guint64 hf_keeper_now_ticks(void);
/* The shell's wait() status; -1 if unknown. */
int hf_keeper_take_status(HfKeeper *keeper);
/* For a shell with a terminal: whether another program is in the foreground, and the shell's
 * directory; NULL if unknown. */
gboolean hf_keeper_is_busy(const HfKeeper *keeper);
char *hf_keeper_dup_directory(const HfKeeper *keeper);
