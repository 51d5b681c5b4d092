/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's connection to one stage, the parent of everything that runs on a desktop. Starting and
 * stopping block; events arrive on a main loop; orders may be sent from any thread. */
#pragma once

#include <sys/types.h>

#include "desk/desktops/container.h"
#include "shared/base/deadline.h"
#include "shared/base/json.h"
#include "shared/wire/stage-protocol.h"

typedef struct HfStageLink HfStageLink;

typedef enum HfStageEventKind {
    HF_STAGE_EVENT_HAND_STARTED, /* pid */
    HF_STAGE_EVENT_HAND_EXITED,  /* pid, status as of waitpid() */
    HF_STAGE_EVENT_SERVER_DIED,  /* which, restarting */
    HF_STAGE_EVENT_GONE,         /* the last event: the desktop has ended; call hf_stage_free() */
} HfStageEventKind;

typedef struct HfStageEvent {
    HfStageEventKind kind;
    pid_t pid;
    int status;
    const char *which;   /* "x-server", "session-bus", "window-manager" */
    gboolean restarting; /* FALSE for the X server: GONE follows */
} HfStageEvent;

typedef void (*HfStageEventFunc)(HfStageLink *link, const HfStageEvent *event, gpointer data);

/* Starts `program` (NULL: ourselves) as the stage of a desktop, in a container unless that is NULL,
 * and waits until it is ready. A failure leaves nothing behind; the error says which step failed
 * and what to install. CONFLICT: a desktop of that name is running. */
HfStageLink *hf_stage_start(const char *program, const HfStageOptions *options,
                            const HfContainer *container, const HfDeadline *deadline,
                            GError **error);

/* Handles events on `context` (NULL: the default one); earlier events are not lost. Call it once.
 * No event is handled after hf_stage_free(), which a handler may call itself. */
void hf_stage_watch(HfStageLink *link, GMainContext *context, HfStageEventFunc handle,
                    gpointer data);

/* From the stage's ready message, borrowed. */
const char *hf_stage_get_id(const HfStageLink *link);
const char *hf_stage_get_display(const HfStageLink *link);
/* {variable: value} that a program needs on a virtual desktop; {DISPLAY} of an attached one. */
const json_t *hf_stage_get_environment(const HfStageLink *link);
/* The whole message: width, height, session_bus, accessibility, pids, took_ms, ... */
const json_t *hf_stage_get_facts(const HfStageLink *link);
pid_t hf_stage_get_pid(const HfStageLink *link);
/* The pid here of a process that the desktop knows as `pid`; 0: there is none. */
pid_t hf_stage_find_process(const HfStageLink *link, pid_t pid);
/* Why the container has no network although it should; NULL: it has. */
const char *hf_stage_get_network_problem(const HfStageLink *link);
/* The listener of a stage that was started with `proxy`, for hf_proxy_link_start(); -1: none. */
int hf_stage_steal_listener(HfStageLink *link);

/* Starts `handfast ARGUMENTS` (NULL: "hand") in the environment of the desktop, with the descriptor
 * as number 3. Always takes the descriptor. HAND_STARTED follows, later HAND_EXITED; a hand that
 * could not start has only the latter, with pid 0. */
gboolean hf_stage_start_hand(HfStageLink *link, int take_descriptor, const char *const *arguments,
                             GError **error);
/* SIGKILL; HAND_EXITED follows. The programs that it started stay. */
gboolean hf_stage_kill_hand(HfStageLink *link, GError **error);

/* Stops all programs of the desktop where they are, or lets them go on; on somebody's own desktop
 * it ends them. Blocks until that is seen, about HF_LIMIT_STAGE_FREEZE_MS at most. FALSE: the stage
 * does not answer. */
gboolean hf_stage_freeze(HfStageLink *link, gboolean frozen, guint *ret_running);

/* SIGKILL for the whole desktop; GONE follows. */
void hf_stage_kill(const HfStageLink *link);
/* Ends the desktop and everything on it, within HF_LIMIT_STAGE_END_MS; blocks until then. */
void hf_stage_stop(HfStageLink *link);
/* Stops it if needed, and cleans up after a killed stage. NULL is fine. */
void hf_stage_free(HfStageLink *link);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStageLink, hf_stage_free)
