/* SPDX-License-Identifier: Apache-2.0 */
/* A cancellation signals the condition. */
#include "shared/base/waiter.h"

static void wake_waiter(GCancellable *cancellable, gpointer data)
{
    HfWaiter *waiter = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(waiter->lock);
    g_cond_broadcast(waiter->cond);
}

void hf_waiter_begin(HfWaiter *waiter, GMutex *lock, GCond *cond, GCancellable *cancellable)
{
    *waiter = (HfWaiter){lock, cond, cancellable, 0};
    if (cancellable)
        waiter->handler = g_cancellable_connect(cancellable, G_CALLBACK(wake_waiter), waiter, NULL);
}

void hf_waiter_end(HfWaiter *waiter)
{
    if (waiter->handler)
        g_cancellable_disconnect(waiter->cancellable, waiter->handler);
}
