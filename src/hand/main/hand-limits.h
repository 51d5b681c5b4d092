/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the hand's main loop. */
#pragma once

/* Concurrent calls in one hand. */
#define HF_LIMIT_HAND_WORKERS 16
/* Defaults of the owner's settings: the keys that stop everything, and how far the pointer may move
 * without counting as a person's input. */
#define HF_STOP_HOTKEY        "ctrl+shift+escape"
#define HF_TAKEOVER_JITTER_PX 8
/* How long a picture for evidence may take. */
#define HF_LIMIT_WITNESS_MS 1000
