/* The X11 eye on real input: raw events of XInput 2. */
#pragma once

#include "platform/input-watch.h"

extern const HfWatchOps hf_x11_watch_ops;
