/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the desk's table of desktops and of its links to hands. */
#pragma once

#define HF_LIMIT_DESKTOPS 64u
/* How long a new hand may take to open its display. */
#define HF_LIMIT_HAND_START_MS 10000
/* How long a cancelled call may take to end before its hand is killed. */
#define HF_LIMIT_CANCEL_GRACE_MS 2000
/* How long a hand may take to confirm that it has stopped before it is killed. */
#define HF_LIMIT_BRAKE_MS 200
/* How long a stage may take to freeze its programs before its desktop is killed. */
#define HF_LIMIT_STAGE_FREEZE_MS 600
/* The same on somebody's own desktop, where they are ended; it is never killed. */
#define HF_LIMIT_OWN_FREEZE_MS 1000
/* How many programs the description of such a desktop names. */
#define HF_LIMIT_LISTED_PROGRAMS 50u
/* How long a desktop that is ready waits for its network. */
#define HF_LIMIT_NETWORK_START_MS 200
/* The proxy of a desktop: how long it may take to start and to end, how long to wait before it is
 * started again, and how many of its refusals are remembered. */
#define HF_LIMIT_PROXY_START_MS     5000
#define HF_LIMIT_PROXY_END_MS       2000
#define HF_LIMIT_PROXY_RESTART_MS   500
#define HF_LIMIT_PROXY_REFUSED_KEPT 16u
