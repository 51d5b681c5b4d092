/* SPDX-License-Identifier: Apache-2.0 */
/* The file desk.lock in the runtime directory, which the desk holds a lock on while it runs. Its
 * text is the desk's process id, then how many stops by signal have shut the gate, and how many of
 * those are on the disk: whoever sends the signal sees it heeded. The width is fixed, so that a
 * full disk cannot keep the desk from writing it. */
#pragma once

#define HF_DESK_LOCK_NAME   "desk.lock"
#define HF_DESK_LOCK_FORMAT "%10d %10u %10u\n"
