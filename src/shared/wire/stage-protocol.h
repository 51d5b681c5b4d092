/* SPDX-License-Identifier: Apache-2.0 */
/* What desk and stage say to each other over their channel: the options of a desktop, and the
 * names of the messages.
 *
 * desk → stage: open {options}, start-hand {arguments} + descriptor, kill-hand, freeze {frozen} +
 *               pipe for the number of programs that still run (guint32), stop
 * stage → desk: ready {display, session_bus, accessibility, environment, pids, width, height,
 *               took_ms, namespace} + with `proxy` its listener, failed {step, error},
 *               hand-started {pid}, hand-exited {pid, status}, server-died {which, restarting},
 *               stopped {left} */
#pragma once

#include "shared/base/json.h"
#include "shared/base/types.h"

#define HF_STAGE_OPEN         "open"
#define HF_STAGE_START_HAND   "start-hand"
#define HF_STAGE_KILL_HAND    "kill-hand"
#define HF_STAGE_FREEZE       "freeze"
#define HF_STAGE_STOP         "stop"
#define HF_STAGE_READY        "ready"
#define HF_STAGE_FAILED       "failed"
#define HF_STAGE_HAND_STARTED "hand-started"
#define HF_STAGE_HAND_EXITED  "hand-exited"
#define HF_STAGE_SERVER_DIED  "server-died"
#define HF_STAGE_STOPPED      "stopped"

/* The descriptors of a stage's channel and of a hand's socket. */
#define HF_INHERITED_DESCRIPTOR 3
/* The lock of a virtual desktop's directory, for its stage. */
#define HF_INHERITED_LOCK 4

/* In the environment of everything on a virtual desktop: its name and its private directory. */
#define HF_MARK_ID        "HANDFAST_DESKTOP"
#define HF_MARK_DIRECTORY "HANDFAST_DESKTOP_DIR"
/* In the environment of every stage, and so of everything that it or a hand starts, on any
 * display: a process with it was started by an agent and is not accepted as a caller. Not shown to
 * callers. */
#define HF_MARK_STAGE "HANDFAST_STAGE"

typedef enum HfStageKind {
    HF_STAGE_VIRTUAL,  /* its own X server, window manager and buses; everything ends with it */
    HF_STAGE_ATTACHED, /* somebody's own display: only the hand ends with it */
} HfStageKind;

/* Zero means the default given here. */
struct HfStageOptions {
    HfStageKind kind;
    const char *name;        /* letters, digits, '.', '_', '-' */
    const char *id;          /* unique for ever; generated when NULL */
    const char *runtime_dir; /* virtual: the desk's, an absolute path */
    const char *directory;   /* virtual: its private directory; created by hf_stage_start() */
    int display_number;      /* contained: that of its X server; 0: the first that is free */
    const char *display;     /* attached: the display */
    gboolean namespace;      /* attached: programs get a PID namespace of their own */
    int width, height;       /* 1920x1080 */
    double scale;            /* 1 */
    int depth;               /* 24; or 16, 30 */
    gboolean own_home;       /* a HOME that begins empty and is removed with the desktop */
    gboolean proxy;          /* contained: listen for a proxy, and tell programs to use it */
    gboolean opengl;         /* GLX in the X server: 13-54 MB more */
};

/* The open message. */
json_t *hf_stage_options_to_json(const HfStageOptions *options);
/* Checked and completed with defaults; the strings are borrowed from `json`. */
gboolean hf_stage_options_from_json(const json_t *json, HfStageOptions *ret_options,
                                    GError **error);
