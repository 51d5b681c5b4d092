/* SPDX-License-Identifier: Apache-2.0 */
/* The hand's side of a keeper (keeper.h): starting it, what it hands over, ending it. */
#pragma once

#include <sys/types.h>

#include "shared/base/deadline.h"
#include "shared/base/json.h"

typedef struct HfKeeper {
    int channel;
    int process;                  /* everything of the session ends with it */
    int commands, output, errors; /* -1 each: it has a terminal */
    int terminal;                 /* -1: it has those */
    int folder;                   /* a directory of the session's own, as the shell sees it: */
    char *folder_path;
    gboolean open; /* without walls */
    int status;    /* how the shell has ended; -1: it has not, as far as it was told */
} HfKeeper;

/* The plan is that of sandbox.h with {"arguments", "environment", "directory", "umask", "terminal",
 * "rows", "columns", "hushed"} of the shell. */
HfKeeper *hf_keeper_start(const json_t *plan, const HfDeadline *deadline, GError **error);
/* Ends the session and all that it has started; does not wait for it, and can be repeated. */
void hf_keeper_end(HfKeeper *keeper);
/* Waits until all of it has ended, for at most so long. */
gboolean hf_keeper_await_end(HfKeeper *keeper, int milliseconds);
/* Ends it, if it has not, and frees. */
void hf_keeper_free(HfKeeper *keeper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfKeeper, hf_keeper_free)

/* To what the command that began at this time has started, and to the shell as an interrupt. */
void hf_keeper_interrupt(HfKeeper *keeper, int signal_number, guint64 since_ticks);
/* To what is in front on the terminal; without one, to what was started since. */
gboolean hf_keeper_signal(HfKeeper *keeper, int signal_number, guint64 since_ticks, GError **error);
/* The moment, as the kernel dates processes. */
guint64 hf_keeper_now_ticks(void);
/* How the shell has ended, as wait() gives it; -1 when that is not known. */
int hf_keeper_take_status(HfKeeper *keeper);
/* Of a shell with a terminal: whether anything but itself is in front, and its directory; NULL when
 * that is not known. */
gboolean hf_keeper_is_busy(const HfKeeper *keeper);
char *hf_keeper_dup_directory(const HfKeeper *keeper);
