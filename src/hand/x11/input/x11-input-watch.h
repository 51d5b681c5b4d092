/* SPDX-License-Identifier: Apache-2.0 */
/* The X11 eye on real input: raw events of XInput 2. */
#pragma once

#include "hand/desktop/input-watch.h"

extern const HfWatchOps hf_x11_input_watch_ops;
