/* SPDX-License-Identifier: Apache-2.0 */
/* A short-lived child that talks to an X server in the stage's place: the stage itself never
 * waits for a server, and keeps no connection and no memory of it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef enum HfDisplayProbeStep {
    HF_DISPLAY_PROBE_CONNECTED = 1, /* and a virtual screen's resolution is set */
    HF_DISPLAY_PROBE_MANAGED,       /* a window manager is at work */
} HfDisplayProbeStep;

/* One is written for each step; the end of the pipe without it means that it failed. */
typedef struct HfDisplayProbeReport {
    HfDisplayProbeStep step;
    int width, height, depth;
} HfDisplayProbeReport;

typedef struct HfDisplayProbeOrder {
    const char *display;
    const char *authority; /* NULL: as the environment says */
    int dpi, cursor_size;  /* to write; 0: nothing */
    gboolean await_manager;
} HfDisplayProbeOrder;

/* Returns the pid, or 0. `ret_reports` is to be read and closed by the caller. */
pid_t hf_display_probe_start(const HfDisplayProbeOrder *order, int *ret_reports, GError **error);
