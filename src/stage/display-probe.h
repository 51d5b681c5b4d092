/* SPDX-License-Identifier: Apache-2.0 */
/* A short-lived child that talks to an X server for the stage, so that the stage never waits for a
 * server and keeps no connection or memory of it. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* The process: owns the settings while the display lives. Writes a line to descriptor 3 when they
 * are in place. */
int hf_xsettings_main(double scale);

typedef enum HfDisplayProbeStep {
    HF_DISPLAY_PROBE_CONNECTED = 1, /* and the resolution of a virtual screen is set */
    HF_DISPLAY_PROBE_MANAGED,       /* the window manager answers */
} HfDisplayProbeStep;

/* The probe writes one byte per step; if the pipe ends before, it failed. */
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

/* Returns the pid, or 0. The caller reads and closes `ret_reports`. */
pid_t hf_display_probe_start(const HfDisplayProbeOrder *order, int *ret_reports, GError **error);
