/* SPDX-License-Identifier: Apache-2.0 */
/* The servers of a virtual desktop: how they are started, and what happens when one dies. */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "shared/base/types.h"
#include "stage/environment.h"

/* The output of one server. Servers write to a pipe and the stage to the file, so that the file
 * stays bounded. A server never waits: what cannot be written is dropped. */
typedef struct HfServerLog {
    char *path; /* older output is in PATH.old */
    int input;  /* read by us; -1 when closed */
    int output; /* given to the server */
    int file;
    gsize size;
} HfServerLog;

gboolean hf_server_log_open(HfServerLog *log, const char *folder, const char *name, GError **error);
/* Reads what is there; call it when `input` is readable. */
void hf_server_log_take(HfServerLog *log);
/* The last output, on one line, for an error message. */
char *hf_server_log_dup_tail(HfServerLog *log);
void hf_server_log_clear(HfServerLog *log);

typedef enum HfServerKind {
    HF_SERVER_X,
    HF_SERVER_BUS,
    HF_SERVER_SETTINGS, /* only on a desktop with a scale of 2 or more */
    HF_SERVER_MANAGER,
    HF_SERVER_COUNT,
} HfServerKind;

typedef struct HfServer {
    const char *name;    /* "x-server", ... */
    const char *package; /* what to install when it is missing */
    char **arguments;    /* NULL: not needed here */
    HfServerLog log;
    pid_t pid;         /* 0: not running */
    guint deaths;      /* restarts in short succession */
    gint64 started_us; /* the last start */
    gint64 due_us;     /* the next start; 0: none */
} HfServer;

gboolean hf_server_init(HfServer *server, HfServerKind kind, const HfStageOptions *options,
                        const HfEnvironment *environment, GError **error);
/* `pass` becomes descriptor 3 of the server. All but the window manager report on it that they are
 * ready; -1: nobody listens, and they write it to their log. */
gboolean hf_server_start(HfServer *server, const HfEnvironment *environment, int pass,
                         GError **error);
/* The server has ended. TRUE: restart it at `due_us`. */
gboolean hf_server_died(HfServer *server);
/* An error about its death or silence, with its last output. */
void hf_server_fail(HfServer *server, const char *what, GError **error);
void hf_server_clear(HfServer *server);
