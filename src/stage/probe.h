/* A short-lived child that talks to an X server in the stage's place: the stage itself never
 * waits for a server, and keeps no connection and no memory of it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

typedef enum HfProbeStep {
    HF_PROBE_CONNECTED = 1, /* and a virtual screen's resolution is set */
    HF_PROBE_MANAGED,       /* a window manager is at work */
} HfProbeStep;

/* One is written for each step; the end of the pipe without it means that it failed. */
typedef struct HfProbeReport {
    HfProbeStep step;
    int width, height, depth;
} HfProbeReport;

typedef struct HfProbeOrder {
    const char *display;
    const char *authority; /* NULL: as the environment says */
    int dpi, cursor_size;  /* to write; 0: nothing */
    gboolean await_manager;
} HfProbeOrder;

/* Returns the pid, or 0. `ret_reports` is to be read and closed by the caller. */
pid_t hf_probe_start(const HfProbeOrder *order, int *ret_reports, GError **error);
