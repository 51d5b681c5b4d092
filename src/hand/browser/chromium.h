/* SPDX-License-Identifier: Apache-2.0 */
/* The process of a browser: started with a debugging pipe and a profile of its own, ended with all
 * that it has started. It ends by itself when its pipe closes, so also when we are killed. */
#pragma once

#include "shared/base/geometry.h"

typedef struct HfChromium HfChromium;

typedef struct HfChromiumOptions {
    const char *profile; /* a directory that only this browser uses; made when missing */
    guint16 proxy_port;  /* on the loopback address: the only way to the network */
    HfSize window;
} HfChromiumOptions;

/* Where it is; NULL with APP_NOT_FOUND. */
char *hf_chromium_find(GError **error);
/* One that was left with the same profile is ended before. Its pipe, for hf_cdp_new. */
HfChromium *hf_chromium_start(const HfChromiumOptions *options, int *ret_read_fd, int *ret_write_fd,
                              GError **error);
int hf_chromium_get_pid(const HfChromium *chromium);
/* FALSE as soon as its process has ended, also while helpers of it still hold its pipe. */
gboolean hf_chromium_is_running(const HfChromium *chromium);
/* How it has ended, as the end of a sentence that begins with it. */
char *hf_chromium_dup_end_reason(const HfChromium *chromium);
/* At once, on any thread, and without waiting. */
void hf_chromium_kill(HfChromium *chromium);
/* Waits at most so long for it to leave by itself, then kills; none of its processes is left. */
void hf_chromium_end(HfChromium *chromium, int grace_ms);
void hf_chromium_free(HfChromium *chromium);
