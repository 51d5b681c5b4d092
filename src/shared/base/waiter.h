/* SPDX-License-Identifier: Apache-2.0 */
/* Waits on a condition variable that a cancellation signals as well. Begin and end without the
 * lock; between them, wait as usual with the lock held. */
#pragma once

#include <gio/gio.h>

#include "shared/base/deadline.h"

typedef struct HfWaiter {
    GMutex *lock;
    GCond *cond;
    GCancellable *cancellable;
    gulong handler;
} HfWaiter;

void hf_waiter_begin(HfWaiter *waiter, GMutex *lock, GCond *cond, GCancellable *cancellable);
void hf_waiter_end(HfWaiter *waiter);
