/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of starting and ending applications. */
#pragma once

/* How long the list of installed applications is cached. */
#define HF_LIMIT_CATALOG_MS 60000
/* How long to wait for the window of a launched program, and its arguments. */
#define HF_LIMIT_LAUNCH_WAIT_MS 120000
#define HF_LIMIT_ARGUMENTS      256
#define HF_LIMIT_ARGUMENT_BYTES (100u * 1024)
#define HF_LIMIT_WINDOWS        4096u
/* How long a window may take to close, and a process to end after SIGTERM and after SIGKILL. */
#define HF_LIMIT_WINDOW_CLOSE_MS 5000
#define HF_LIMIT_TERMINATE_MS    3000
#define HF_LIMIT_KILL_MS         2000
