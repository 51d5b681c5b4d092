/* SPDX-License-Identifier: Apache-2.0 */
/* The servers of a virtual desktop: what they are started with, and what follows from a death. */
#pragma once

#include <sys/types.h>

#include "shared/base/types.h"
#include "stage/environment.h"
#include "stage/server-log.h"

typedef enum HfServerKind {
    HF_SERVER_X,
    HF_SERVER_BUS,
    HF_SERVER_SETTINGS, /* only where a desktop is scaled by 2 or more */
    HF_SERVER_MANAGER,
    HF_SERVER_COUNT,
} HfServerKind;

typedef struct HfServer {
    const char *name;    /* "x-server", ... */
    const char *package; /* what to install when it is missing */
    char **arguments;    /* NULL: not needed here */
    HfServerLog log;
    pid_t pid;         /* 0: not running */
    guint deaths;      /* in short succession */
    gint64 started_us; /* when it was started last */
    gint64 due_us;     /* when it is to be started again; 0: not */
} HfServer;

gboolean hf_server_init(HfServer *server, HfServerKind kind, const HfStageOptions *options,
                        const HfEnvironment *environment, GError **error);
/* `pass` becomes its descriptor 3, on which all but the window manager say that they are ready; -1:
 * nobody listens, and they say it in their log. */
gboolean hf_server_start(HfServer *server, const HfEnvironment *environment, int pass,
                         GError **error);
/* It has ended. TRUE when it is to be started again, at `due_us`. */
gboolean hf_server_died(HfServer *server);
/* An error about its death or silence, with its last words. */
void hf_server_fail(HfServer *server, const char *what, GError **error);
void hf_server_clear(HfServer *server);
