/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the hand's main loop. */
#pragma once

/* Calls that run at the same time in one hand. */
#define HF_LIMIT_HAND_WORKERS 16
/* The keys that stop everything, and a person's pointer movement that does not count as input,
 * unless the owner says otherwise. */
#define HF_STOP_HOTKEY        "ctrl+shift+escape"
#define HF_TAKEOVER_JITTER_PX 8
/* How long a picture for evidence may take. */
#define HF_LIMIT_WITNESS_MS 1000
