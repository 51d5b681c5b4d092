/* SPDX-License-Identifier: Apache-2.0 */
/* The browser's process, with a debugging pipe and a private profile. It ends with everything it
 * started, and exits by itself when the pipe closes, for example when the hand is killed. */
#pragma once

#include "shared/base/geometry.h"

typedef struct HfChromium HfChromium;

typedef struct HfChromiumOptions {
    const char *profile; /* only this browser uses it; created if missing */
    guint16 proxy_port;  /* on loopback: the only way to the network */
    HfSize window;
} HfChromiumOptions;

/* First kills a browser that was left with the same profile. Returns the pipe for hf_cdp_new. */
HfChromium *hf_chromium_start(const HfChromiumOptions *options, int *ret_read_fd, int *ret_write_fd,
                              GError **error);
int hf_chromium_get_pid(const HfChromium *chromium);
/* FALSE as soon as the main process has ended, even if its helpers still hold the pipe. */
gboolean hf_chromium_is_running(const HfChromium *chromium);
/* How it has ended, to follow "the browser". */
char *hf_chromium_dup_end_reason(const HfChromium *chromium);
/* Kills it at once, on any thread, without waiting. */
void hf_chromium_kill(HfChromium *chromium);
/* Waits for it to exit by itself, then kills it; none of its processes is left. */
void hf_chromium_end(HfChromium *chromium, int grace_ms);
void hf_chromium_free(HfChromium *chromium);
