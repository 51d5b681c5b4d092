/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a stage. */
#pragma once

/* How long freezing the programs of a desktop may take, and ending those on somebody's own. */
#define HF_LIMIT_FREEZE_MS       400
#define HF_LIMIT_END_PROGRAMS_MS 400
/* How long a desktop may take to be ready, and how long its servers may take to exit by
 * themselves. */
#define HF_LIMIT_STAGE_START_MS  15000
#define HF_LIMIT_SERVER_GRACE_MS 300
/* How often a window manager or bus that keeps dying is started again. */
#define HF_LIMIT_SERVER_RESTARTS 5
/* The size of a server's log; one older log of the same size is kept. */
#define HF_LIMIT_LOG_BYTES ((gsize)64 * 1024)
